package checkpoint_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"capgraph/testing/golden"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

// tinyDINOv2 is the network of testdata/dinov2.py behind the text tower of tiny.
func tinyDINOv2() model.Config {
	c := tiny()
	c.EmbedDim = 6
	c.Image = model.Image{Timm: "vit_base_patch14_dinov2", Layers: 2, Width: 8, HeadWidth: 4, PatchSize: 2, ImageSize: 8, MLPRatio: 2}
	return c
}

// The files are those that Hugging Face and timm write.
func TestDINOv2OfOthersIsRead(t *testing.T) {
	c := tinyDINOv2()
	for _, name := range []string{"testdata/dinov2.safetensors", "testdata/dinov2_timm.safetensors"} {
		w, err := checkpoint.LoadImageTower(local, name, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range model.Parameters(c) {
			if s.Tower != model.ImageTower || s.Name == "visual.head.proj.weight" {
				if _, ok := w[s.Name]; ok {
					t.Errorf("%s: it has %s", name, s.Name)
				}
				continue
			}
			want := checkpoint.Float32([]int{s.Rows, s.Cols}, golden.Formula(s.Name, s.Shape))
			if !reflect.DeepEqual(w[s.Name], want) {
				t.Errorf("%s: %s is %v, not %v", name, s.Name, w[s.Name], want)
			}
		}
		larger := c
		larger.Image.ImageSize = 12
		if w, err = checkpoint.LoadImageTower(local, name, larger); err != nil || !slices.Equal(w["visual.trunk.pos_embed"].Shape, []int{37, 8}) {
			t.Errorf("%s: positions of 6 × 6 patches are %v, %v", name, w["visual.trunk.pos_embed"].Shape, err)
		}
		if _, err := checkpoint.Load(local, name, c); err == nil || !strings.Contains(err.Error(), "model.init_image") {
			t.Errorf("%s: all of it: %v", name, err)
		}
		if _, err := checkpoint.LoadImageTower(local, name, tiny()); err == nil || !strings.Contains(err.Error(), "not of the model") {
			t.Errorf("%s: as a tower of CLIP's: %v", name, err)
		}
		shallow := c
		shallow.Image.Layers = 1
		if _, err := checkpoint.LoadImageTower(local, name, shallow); err == nil || !strings.Contains(err.Error(), "not of the model") {
			t.Errorf("%s: without its last block: %v", name, err)
		}
	}
}

func TestRegistersAreRefused(t *testing.T) {
	r, err := checkpoint.Open(local, "testdata/dinov2.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tensors := map[string]checkpoint.Tensor{"embeddings.register_tokens": {Shape: []int{1, 4, 8}, Data: make([]float32, 32)}}
	for _, i := range r.Infos() {
		if tensors[i.Name], err = r.Tensor(i.Name); err != nil {
			t.Fatal(err)
		}
	}
	_, err = checkpoint.LoadImageTower(local, save(t, tensors), tinyDINOv2())
	if err == nil || !strings.Contains(err.Error(), "take DINOv2 without registers") {
		t.Error(err)
	}
}

// The image tower is of one file, the rest of another, in whatever form it is.
func TestTowersOfTwoFiles(t *testing.T) {
	c, clip := tinyDINOv2(), tiny()
	clip.EmbedDim = c.EmbedDim
	of := random(clip, 1)
	w, err := checkpoint.LoadWithoutImageTower(local, save(t, stored(t, clip, of)), c)
	if err != nil {
		t.Fatal(err)
	}
	image, err := checkpoint.LoadImageTower(local, "testdata/dinov2.safetensors", c)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(w, image)
	var missing []string
	for _, s := range model.Parameters(c) {
		if _, ok := w[s.Name]; !ok {
			missing = append(missing, s.Name)
		}
		if s.Tower == model.TextTower && !reflect.DeepEqual(w[s.Name], of[s.Name]) {
			t.Errorf("%s is another", s.Name)
		}
	}
	if !slices.Equal(missing, []string{"visual.head.proj.weight"}) {
		t.Errorf("%v are missing", missing)
	}
	w["visual.head.proj.weight"] = checkpoint.Float32([]int{6, 8}, make([]float64, 48))
	dir := filepath.Join(t.TempDir(), "model")
	if err := checkpoint.Export(local, dir, c, w); err != nil {
		t.Fatal(err)
	}
	read, err := model.Read(local, dir)
	if err != nil || read != c {
		t.Fatalf("%+v, %v", read, err)
	}
	again, err := checkpoint.Load(local, dir, read)
	if err != nil || !reflect.DeepEqual(again, w) {
		t.Errorf("written and read the weights are others: %v", err)
	}
	if again, err = checkpoint.LoadImageTower(local, dir, read); err != nil || len(again) != len(image)+1 {
		t.Errorf("%d parameters of the image tower, not %d: %v", len(again), len(image)+1, err)
	}
}

func FuzzTowers(f *testing.F) {
	for _, name := range []string{"testdata/dinov2.safetensors", "testdata/dinov2_timm.safetensors"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	c := tinyDINOv2()
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := reader(data)
		if err != nil {
			return
		}
		r.Weights(c)
		r.WithoutImageTower(c)
		w, err := r.ImageTower(c)
		if err != nil {
			return
		}
		for _, s := range model.Parameters(c) {
			if x, ok := w[s.Name].Floats(); ok && len(x) != s.Len() {
				t.Errorf("%s has %d numbers, not %d", s.Name, len(x), s.Len())
			}
		}
	})
}

// The positions of a ResNet's attention pooling are resized as those of patches are.
func TestPositionsOfAResNetAreResized(t *testing.T) {
	small := tiny()
	small.Image = model.Image{Stages: model.Stages{1, 1, 1, 1}, Width: 2, HeadWidth: 8, PatchSize: 32, ImageSize: 64, MLPRatio: 4}
	large := small
	large.Image.ImageSize = 96
	w, err := checkpoint.Load(local, save(t, stored(t, small, random(small, 1))), large)
	if err != nil {
		t.Fatal(err)
	}
	if got := w["visual.attnpool.positional_embedding"].Shape; !slices.Equal(got, []int{10, 64}) {
		t.Errorf("they are %v", got)
	}
}
