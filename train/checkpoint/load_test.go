package checkpoint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

// tiny is a model whose widths all differ, so that nothing fits by chance.
func tiny() model.Config {
	return model.Config{
		EmbedDim: 10,
		Image:    model.Image{Layers: 1, Width: 12, HeadWidth: 6, PatchSize: 4, ImageSize: 16, MLPRatio: 2},
		Text:     model.Text{ContextLength: 9, VocabSize: 30, Layers: 2, Width: 8, Heads: 2, MLPRatio: 3},
		Std:      [3]float64{1, 1, 1},
	}
}

// resNet is a small model whose images pass a ResNet.
func resNet() model.Config {
	c := tiny()
	c.Image = model.Image{Stages: model.Stages{1, 2, 1, 1}, Width: 2, HeadWidth: 8, PatchSize: 32, ImageSize: 64, MLPRatio: 4}
	return c
}

// random are weights of a model, float32.
func random(c model.Config, seed uint64) checkpoint.Weights {
	w := checkpoint.Weights{}
	for _, s := range model.Parameters(c) {
		x := make([]float64, s.Len())
		s.Initialise(seed, x)
		for i := range x {
			x[i] += float64(i%7) / 8 // vectors too have numbers of their own
		}
		w[s.Name] = checkpoint.Float32([]int{s.Rows, s.Cols}, x)
	}
	return w
}

// stored are the tensors of weights as open_clip has them.
func stored(t *testing.T, c model.Config, w checkpoint.Weights) map[string]checkpoint.Tensor {
	t.Helper()
	tensors := map[string]checkpoint.Tensor{}
	for _, s := range model.Parameters(c) {
		var err error
		if tensors[s.Name], err = checkpoint.ToStored(s, w[s.Name]); err != nil {
			t.Fatal(err)
		}
	}
	return tensors
}

func save(t *testing.T, tensors map[string]checkpoint.Tensor) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "model.safetensors")
	if err := checkpoint.Save(local, name, tensors, nil); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestWeightsOfAnotherActivation loads weights as a model that computes otherwise, although all shapes
// are equal.
func TestWeightsOfAnotherActivation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	file := filepath.Join(t.TempDir(), "model.safetensors")
	own := tiny()
	own.QuickGELU, own.Mean = true, [3]float64{0.5, 0.5, 0.5}
	w := random(own, 1)
	if err := errors.Join(checkpoint.Export(local, dir, own, w), checkpoint.SaveWeights(local, file, own, w)); err != nil {
		t.Fatal(err)
	}
	gelu, mean, std := own, own, own
	gelu.QuickGELU, mean.Mean, std.Std = false, [3]float64{0.5, 0.5, 0.4}, [3]float64{1, 1, 2}
	for want, c := range map[string]model.Config{"quick_gelu true": gelu, "preprocess_cfg.mean [0.5 0.5 0.5]": mean, "preprocess_cfg.std [1 1 1]": std, "": own} {
		for _, name := range []string{dir, file, filepath.Join(dir, checkpoint.WeightsFile)} {
			_, err := checkpoint.Load(local, name, c)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), "was trained with "+want) {
				t.Errorf("%s as %s: %v", name, want, err)
			}
		}
	}
}

// TestShardedWeights loads weights of several files that an index lists, as Hugging Face writes them,
// whose names have the prefixes of PyTorch's wrappers.
func TestShardedWeights(t *testing.T) {
	want := random(tiny(), 1)
	for _, prefix := range []string{"", "module.", "_orig_mod.", "module._orig_mod."} {
		dir := t.TempDir()
		index, parts := map[string]string{}, []map[string]checkpoint.Tensor{{}, {}, {}}
		for n, name := range slices.Sorted(maps.Keys(want)) {
			index[prefix+name] = fmt.Sprintf("model-%05d-of-00003.safetensors", n%3+1)
			parts[n%3][prefix+name] = stored(t, tiny(), want)[name]
		}
		for n, part := range parts {
			if err := checkpoint.Save(local, filepath.Join(dir, fmt.Sprintf("model-%05d-of-00003.safetensors", n+1)), part, nil); err != nil {
				t.Fatal(err)
			}
		}
		write := func(index map[string]string) string {
			data, err := json.Marshal(map[string]any{"metadata": map[string]int{"total_size": 1}, "weight_map": index})
			name := filepath.Join(dir, "model.safetensors.index.json")
			if err := errors.Join(err, os.WriteFile(name, data, 0o666)); err != nil {
				t.Fatal(err)
			}
			return name
		}
		name := write(index)
		for _, name := range []string{name, dir} {
			if got, err := checkpoint.Load(local, name, tiny()); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q, %s: %v", prefix, name, err)
			}
		}
		for _, wrong := range []string{"../model-00001-of-00003.safetensors", "model.bin", "a\nb.safetensors", "model-00002-of-00003.safetensors", "none.safetensors"} {
			other := maps.Clone(index)
			other[slices.Sorted(maps.Keys(index))[0]] = wrong
			if _, err := checkpoint.Load(local, write(other), tiny()); err == nil {
				t.Errorf("%q: a tensor in %q is no error", prefix, wrong)
			}
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"weight_map": {"a": "b.safetensors"}}`))
	f.Add([]byte(`{"weight_map": {"a": "../b.safetensors"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "model.safetensors.index.json")
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Load(local, name, tiny()); err == nil {
			t.Error("weights without a file")
		}
	})
}

// TestWeightsThatAreNotFinite names the tensor that has them.
func TestWeightsThatAreNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := random(tiny(), 1)
		numbers, _ := w["text_projection"].Floats()
		numbers[7] = x
		w["text_projection"] = checkpoint.Float32(w["text_projection"].Shape, numbers)
		_, err := checkpoint.Load(local, save(t, stored(t, tiny(), w)), tiny())
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("tensor text_projection has %v at position", x)) {
			t.Errorf("%v: %v", x, err)
		}
	}
}

func TestExportsComeBack(t *testing.T) {
	for name, c := range map[string]model.Config{"ViT": tiny(), "ResNet": resNet()} {
		dir := filepath.Join(t.TempDir(), "model")
		want := random(c, 1)
		for range 2 { // the second time over the first
			if err := checkpoint.Export(local, dir, c, want); err != nil {
				t.Fatal(err)
			}
		}
		read, err := model.Read(local, dir)
		if err != nil || read != c {
			t.Fatalf("%s: %+v, %v", name, read, err)
		}
		got, err := checkpoint.Load(local, dir, read)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the weights are others: %v", name, err)
		}
	}
}

func TestConvolutionsAreTurned(t *testing.T) {
	c := resNet()
	w := random(c, 1)
	name := "visual.layer2.0.conv2.weight"
	file := stored(t, c, w)[name]
	if !slices.Equal(file.Shape, []int{4, 4, 3, 3}) || !slices.Equal(w[name].Shape, []int{4, 36}) {
		t.Fatalf("stored %v, on the tape %v", file.Shape, w[name].Shape)
	}
	if file.Data.([]float32)[(3*4+2)*9+1*3+2] != w[name].Data.([]float32)[3*36+(1*3+2)*4+2] {
		t.Error("input 2 of output 3, in line 1 and column 2, is another")
	}
}

// PyTorch's batch norms count the batches that they have seen.
func TestCountsOfBatchesAreNoWeights(t *testing.T) {
	c := resNet()
	want := random(c, 1)
	tensors := stored(t, c, want)
	tensors["visual.bn1.num_batches_tracked"] = checkpoint.Tensor{Data: []int64{7}}
	got, err := checkpoint.Load(local, save(t, tensors), c)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the weights are others: %v", err)
	}
}

func TestFileNamesItsModel(t *testing.T) {
	c, dir := tiny(), t.TempDir()
	c.QuickGELU, c.Mean = true, [3]float64{.5, .25, 0}
	if err := checkpoint.Export(local, dir, c, random(c, 1)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, checkpoint.WeightsFile)} {
		if got, err := checkpoint.Config(local, name); err != nil || got != c {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if got, err := checkpoint.Config(local, "ViT-B-32"); err != nil || got.Image.PatchSize != 32 {
		t.Errorf("by name: %+v, %v", got, err)
	}
	_, err := checkpoint.Config(local, save(t, stored(t, c, random(c, 1))))
	if err == nil || !strings.Contains(err.Error(), "name the model too") {
		t.Errorf("a file that does not say: %v", err)
	}
}

func TestProjectionsAreTransposed(t *testing.T) {
	c := tiny()
	w := random(c, 1)
	file := stored(t, c, w)["visual.proj"]
	if !slices.Equal(file.Shape, []int{12, 10}) || !slices.Equal(w["visual.proj"].Shape, []int{10, 12}) {
		t.Fatalf("stored %v, on the tape %v", file.Shape, w["visual.proj"].Shape)
	}
	if file.Data.([]float32)[3*10+7] != w["visual.proj"].Data.([]float32)[7*12+3] {
		t.Error("input 3 of output 7 is another")
	}
}

func TestOtherNamesAreRead(t *testing.T) {
	c := tiny()
	want := random(c, 1)
	custom := map[string]checkpoint.Tensor{"text.attn_mask": {[]int{1}, []float32{0}}}
	for _, s := range model.Parameters(c) {
		name, t := s.Name, stored(t, c, want)[s.Name]
		if s.Tower == model.TextTower {
			name = "text." + name
		}
		if name == model.LogitScale {
			t.Shape = []int{1}
		}
		custom[name] = t
	}
	got, err := checkpoint.Load(local, save(t, custom), c)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with a custom text tower: %v", err)
	}
}

func TestAnotherModelIsRefused(t *testing.T) {
	c := tiny()
	for _, x := range []struct {
		what   string
		change func(map[string]checkpoint.Tensor)
		want   []string
	}{
		{"a tensor missing", func(m map[string]checkpoint.Tensor) { delete(m, "ln_final.bias") }, []string{"1 missing (ln_final.bias)"}},
		{"one too many", func(m map[string]checkpoint.Tensor) { m["logit_offset"] = checkpoint.Tensor{Data: []float32{1}} }, []string{"1 not of the model (logit_offset)"}},
		{"another shape", func(m map[string]checkpoint.Tensor) {
			m["ln_final.bias"] = checkpoint.Tensor{Shape: []int{3}, Data: []float32{1, 2, 3}}
		}, []string{"ln_final.bias is [3], not [8]"}},
		{"integers", func(m map[string]checkpoint.Tensor) {
			m["logit_scale"] = checkpoint.Tensor{Data: []int32{1}}
		}, []string{"logit_scale is of I32"}},
		{"a grid that is no square", func(m map[string]checkpoint.Tensor) {
			m["visual.positional_embedding"] = checkpoint.Tensor{Shape: []int{6, 12}, Data: make([]float32, 72)}
		}, []string{"visual.positional_embedding is [6 12], not [17 12]"}},
		{"position embeddings of nothing", func(m map[string]checkpoint.Tensor) {
			m["positional_embedding"] = checkpoint.Tensor{Shape: []int{0, 8}, Data: []float32{}}
			m["visual.positional_embedding"] = checkpoint.Tensor{Shape: []int{1, 12}, Data: make([]float32, 12)}
		}, []string{"2 of another shape"}},
		{"all of it", func(m map[string]checkpoint.Tensor) { clear(m) }, []string{"missing (visual.conv1.weight, visual.class_embedding, visual.positional_embedding, …)"}},
	} {
		tensors := stored(t, c, random(c, 1))
		x.change(tensors)
		_, err := checkpoint.Load(local, save(t, tensors), c)
		for _, want := range x.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, not %q", x.what, err, want)
			}
		}
	}
}

func TestPositionsOfAnotherSizeAreResized(t *testing.T) {
	small, large := tiny(), tiny()
	large.Image.ImageSize, large.Text.ContextLength = 28, 20
	name := save(t, stored(t, small, random(small, 1)))
	w, err := checkpoint.Load(local, name, large)
	if err != nil {
		t.Fatal(err)
	}
	if got := w["visual.positional_embedding"].Shape; !slices.Equal(got, []int{50, 12}) {
		t.Errorf("the image's are %v", got)
	}
	if got := w["positional_embedding"].Shape; !slices.Equal(got, []int{20, 8}) {
		t.Errorf("the text's are %v", got)
	}
	large = resNet()
	large.Image.ImageSize = 128
	pooled, err := checkpoint.Load(local, save(t, stored(t, resNet(), random(resNet(), 1))), large)
	if err != nil {
		t.Fatal(err)
	}
	if got := pooled["visual.attnpool.positional_embedding"].Shape; !slices.Equal(got, []int{17, 64}) {
		t.Errorf("a ResNet's are %v", got)
	}
	class := func(w checkpoint.Weights) []float32 { return w["visual.positional_embedding"].Data.([]float32)[:12] }
	if !slices.Equal(class(w), class(random(small, 1))) {
		t.Error("the class token's changed")
	}
}

func TestFilesThatAreNoWeights(t *testing.T) {
	dir := t.TempDir()
	if err := store.WriteFile(local, filepath.Join(dir, "model.pt"), []byte("PK")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		dir:                                     "capgraph_convert.py",
		filepath.Join(dir, "model.pt"):          "capgraph_convert.py",
		filepath.Join(dir, "model.safetensors"): "no such file",
	} {
		if _, err := checkpoint.Load(local, name, tiny()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", name, err, want)
		}
	}
}

func TestInterpolate(t *testing.T) {
	c := tiny()
	before, after := random(c, 1), random(c, 2)
	got, err := checkpoint.Interpolate(c, before, after, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	at := func(w checkpoint.Weights, name string) float32 { return w[name].Data.([]float32)[5] }
	if x, want := at(got, "visual.proj"), 0.75*at(before, "visual.proj")+0.25*at(after, "visual.proj"); x-want > 1e-6 || want-x > 1e-6 {
		t.Errorf("visual.proj has %v, not %v", x, want)
	}
	if !reflect.DeepEqual(got["text_projection"], after["text_projection"]) {
		t.Error("the text tower is not that after")
	}
	both := []string{model.ImageTower, model.TextTower}
	if got, _ := checkpoint.Interpolate(c, before, after, 1, both...); !reflect.DeepEqual(got, after) {
		t.Error("1 is not after")
	}
	if got, _ := checkpoint.Interpolate(c, before, after, 0, both...); !reflect.DeepEqual(got["token_embedding.weight"], before["token_embedding.weight"]) {
		t.Error("0 is not before")
	}
	if _, err := checkpoint.Interpolate(c, before, after, 1.5); err == nil {
		t.Error("1.5 was taken")
	}
	delete(before, "visual.proj")
	if _, err := checkpoint.Interpolate(c, before, after, 0.5, both...); err == nil || !strings.Contains(err.Error(), "visual.proj") {
		t.Error(err)
	}
}

// TestFilesOfPyTorch are refused with the way to convert them, wherever they are named.
func TestFilesOfPyTorch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ViT-B-32.pt")
	if err := os.WriteFile(name, []byte("PK\x03\x04"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, config := checkpoint.Config(local, name)
	_, weights := checkpoint.Load(local, name, tiny())
	for _, err := range []error{config, weights} {
		if err == nil || !strings.Contains(err.Error(), "capgraph_convert.py") {
			t.Error(err)
		}
	}
}

// TestPyTorchUnderAnotherName opens a file that torch.save wrote, under the name of safetensors.
func TestPyTorchUnderAnotherName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "model.safetensors")
	if err := os.WriteFile(name, append([]byte("PK\x03\x04"), make([]byte, 100)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := checkpoint.Open(store.Local{}, name); err == nil || !strings.Contains(err.Error(), "is a file of PyTorch: make a safetensors file of it") {
		t.Errorf("%v", err)
	}
}
