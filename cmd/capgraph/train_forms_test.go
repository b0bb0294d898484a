package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/synth"
)

// worldImage is an image of a world with its caption.
type worldImage struct {
	key, caption string
	data         []byte
}

// TestTrainOnImagesAsPeopleHaveThem makes texts of folders, of Parquet of Hugging Face's datasets and
// of tars with several captions and images, and trains on all images of them.
func TestTrainOnImagesAsPeopleHaveThem(t *testing.T) {
	dir := smallWorld(t)
	images := worldImages(t, synth.TrainDir(filepath.Join(dir, "world")))
	call := func(args ...string) string {
		t.Helper()
		var out strings.Builder
		if args[0] == "run" || args[0] == "train" {
			args = append(args, "--progress", "none")
		}
		if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: os.Stderr}); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out.String())
		}
		return out.String()
	}
	writeForms(t, dir, images)
	for form, set := range map[string][]string{
		"folder":  {"--set", "data.corpora.images.format=folder"},
		"parquet": {"--set", "data.corpora.images.format=parquet"},
		"tars":    {"--set", "data.corpora.images.column=input.png"},
	} {
		source, texts := filepath.Join(dir, form), filepath.Join(dir, form+"-texts")
		recipe := filepath.Join(dir, form+".yaml")
		call("init", source, "-o", recipe)
		args := []string{"run", recipe, "--set", "output.dir=" + texts}
		if form == "tars" {
			args = append(args, "--set", "source.columns.image=input.png")
		}
		call(args...)
		if said := call("verify", texts); !strings.Contains(said, "is whole") {
			t.Errorf("%s: %s", form, said)
		}
		said := call(append([]string{"train", filepath.Join(dir, "train.yaml"), "--set", "world.train=0", "--set", "data.corpora.texts=" + texts,
			"--set", "data.corpora.images.paths=" + source, "--set", "output.dir=" + filepath.Join(dir, form+"-out"), "--set", "batch.size=16",
			"--set", "epochs=0", "--set", "steps=3", "--set", "optimiser.warmup=1", "--set", "model.vision_cfg.image_size=16"}, set...)...)
		if !strings.Contains(said, "96 images, 3 steps of 16") || strings.Contains(said, "left out") {
			t.Errorf("%s: it says %q", form, said)
		}
	}
}

// worldImages returns the images of the tars of a folder, with their captions.
func worldImages(t *testing.T, dir string) (all []worldImage) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.tar"))
	if err != nil || len(names) == 0 {
		t.Fatal("the world has no tars", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var last worldImage
		for r := tar.NewReader(bytes.NewReader(data)); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			key, extension, _ := strings.Cut(h.Name, ".")
			if key != last.key {
				last = worldImage{key: key}
			}
			switch extension {
			case "txt":
				last.caption = string(body)
			case "png", "jpg":
				last.data = body
			}
			if last.caption != "" && last.data != nil {
				all = append(all, last)
				last = worldImage{key: key}
			}
		}
	}
	return all
}

// writeForms writes the images as a folder, as Parquet whose images have no names, and as a tar with
// two images and two captions a sample.
func writeForms(t *testing.T, dir string, images []worldImage) {
	t.Helper()
	put := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		Image struct {
			Bytes []byte  `parquet:"bytes"`
			Path  *string `parquet:"path,optional"`
		} `parquet:"image"`
		Caption []string `parquet:"caption,list"`
	}
	var rows []row
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	add := func(name string, data []byte) {
		t.Helper()
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range images {
		put(filepath.Join("folder", []string{"1_a", "2_b"}[i%2], m.key+".png"), m.data)
		put(filepath.Join("folder", []string{"1_a", "2_b"}[i%2], m.key+".txt"), []byte(m.caption))
		r := row{Caption: []string{m.caption, "an image with " + m.caption}}
		r.Image.Bytes = m.data
		rows = append(rows, r)
		add(m.key+".edited.png", []byte("no image"))
		add(m.key+".input.png", m.data)
		add(m.key+".txt", []byte(m.caption+"\nan image with "+m.caption+"\n"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put("tars/00000.tar", packed.Bytes())
	if err := os.MkdirAll(filepath.Join(dir, "parquet"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "parquet", "train-00000-of-00001.parquet"), rows); err != nil {
		t.Fatal(err)
	}
}
