package loader

import (
	"bytes"
	"encoding/json"
	"fmt"
	pixels "image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"capgraph/images"
	"capgraph/schemas"
	"capgraph/store"
)

// Images in a folder are decoded and cropped by package images. A truncated image is left out.
func TestImagesAreCropped(t *testing.T) {
	pictures, folder := makeImages("i", 8), t.TempDir()
	for i, p := range pictures {
		var file bytes.Buffer
		img := pixels.NewRGBA(pixels.Rect(0, 0, 30+i, 20))
		for at := range img.Pix {
			img.Set(at%30, at/30%20, color.RGBA{uint8(7 * at), uint8(i * at), uint8(at / 30), 255})
		}
		if err := png.Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		data := file.Bytes()
		if i == 5 {
			data = data[:len(data)/2]
		}
		if err := os.WriteFile(filepath.Join(folder, p.key+".jpg"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := testOptions(writeTexts(t, pictures, 3))
	set, err := images.OpenFolder(store.Local{}, images.Options{Paths: []string{folder}})
	if err != nil {
		t.Fatal(err)
	}
	o.Corpora[0].Images, o.Side, o.Batch = set, 12, 8
	kept := images.NewPictureCache(6 * 3 * 32 * 20) // some of them, in the second epoch
	o.Decoder = func() Decoder { return images.NewRandomCrops(12, [2]float64{0.5, 1}, kept) }
	l := openLoader(t, o)
	for epoch := range 2 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			encoded, err := os.ReadFile(filepath.Join(folder, s.ImageKey+".jpg"))
			if err != nil {
				t.Fatal(err)
			}
			crop := images.NewCropDraw(o.Seed, uint64(epoch))
			crop.Scale = [2]float64{0.5, 1}
			want, err := new(images.Decoder).RandomCrop(encoded, 12, crop, s.ImageKey, nil)
			if broken := s.ImageKey == "i0005"; broken != (s.Err != nil) || broken != (err != nil) {
				t.Errorf("%s: %v, want %v", s.ImageKey, s.Err, err)
			} else if !broken && !bytes.Equal(s.Pixels, want) {
				t.Errorf("epoch %d, %s: other pixels", epoch, s.ImageKey)
			}
		}
		l.Release(b)
	}
}

// BenchmarkCOCO loads COCO's images at 224 × 224, with five captions each.
func BenchmarkCOCO(b *testing.B) {
	const mini = "../../../shared/data/coco/mini"
	pages, err := filepath.Glob(mini + "/annotations/captions_*.json")
	if err != nil || len(pages) == 0 {
		b.Skip("the images of COCO are not here")
	}
	var rows []*schemas.TextsRow
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			b.Fatal(err)
		}
		var coco struct {
			Images []struct {
				Name string `json:"file_name"`
			}
		}
		if err := json.Unmarshal(data, &coco); err != nil {
			b.Fatal(err)
		}
		for _, img := range coco.Images {
			for n := range 5 {
				r := textsRow(img.Name, n, fmt.Sprintf("caption %d of %s", n, img.Name))
				r.Image = img.Name
				rows = append(rows, r)
			}
		}
	}
	dir := b.TempDir()
	writeRows(b, filepath.Join(dir, "texts.parquet"), rows)
	set, err := images.OpenFolder(store.Local{}, images.Options{Paths: []string{mini + "/images"}})
	if err != nil {
		b.Fatal(err)
	}
	o := testOptions(dir)
	o.Corpora[0].Images, o.Side, o.Batch, o.Workers = set, 224, 16, runtime.GOMAXPROCS(0)
	o.Decoder = func() Decoder { return images.NewRandomCrops(224, [2]float64{0.9, 1}, nil) }
	l := openLoader(b, o)
	n := 0
	for b.Loop() {
		batch, err := l.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		ready, _ := batch.OwnSamples()
		n += len(ready)
		l.Release(batch)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "samples/s")
}
