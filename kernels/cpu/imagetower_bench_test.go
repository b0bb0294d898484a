package cpu

import (
	"fmt"
	"testing"
	"time"

	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
	"capgraph/train/model"
)

// BenchmarkImageTower is an image tower forward and backward: small ones, RN50 and Swin-T.
func BenchmarkImageTower(b *testing.B) {
	resNet := func(stages model.Stages, width, side int) model.Image {
		return model.Image{Stages: stages, Width: width, HeadWidth: 64, PatchSize: 32, ImageSize: side, MLPRatio: 4}
	}
	swin := func(stages model.Stages, width, side int) model.Image {
		return model.Image{Timm: "swin_tiny_patch4_window7_224", Stages: stages, Width: width, HeadWidth: 32, PatchSize: 4, ImageSize: side, MLPRatio: 4}
	}
	for _, s := range []struct {
		name   string
		image  model.Image
		images int
	}{
		{"ResNet 1-1-1-1 of 16, 16 images of 64", resNet(model.Stages{1, 1, 1, 1}, 16, 64), 16},
		{"RN50, 4 images of 224", resNet(model.Stages{3, 4, 6, 3}, 64, 224), 4},
		{"Swin 1-1-1-1 of 32, 16 images of 64", swin(model.Stages{1, 1, 1, 1}, 32, 64), 16},
		{"Swin-T, 4 images of 224", swin(model.Stages{2, 2, 6, 2}, 96, 224), 4},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d workers", s.name, workers), func(b *testing.B) {
				c := toyConfig()
				c.Image = s.image
				d := NewWith(simd.Best(), workers)
				defer d.Close()
				m, err := model.New(d, c)
				if err != nil {
					b.Fatal(err)
				}
				m.Initialise(1)
				t, pixels := kernels.NewTape(d, kernels.NewArena(d, 1<<20)), make([]byte, s.images*3*s.image.ImageSize*s.image.ImageSize)
				for i := range pixels {
					pixels[i] = byte(i * i)
				}
				var packer model.Packer
				best := time.Hour // what other programs do does not count
				for b.Loop() {
					start := time.Now()
					t.Reset()
					t.Arena.Reset()
					d.Reset()
					images := packer.Images(d, c, pixels)
					images.Learned = true
					y := m.EncodeImages(t, images)
					seed := t.Arena.Tensor(y.Value.Rows, y.Value.Cols)
					d.Fill(seed, 1)
					t.Seed(y, seed)
					t.Backward()
					best = min(best, time.Since(start))
				}
				b.ReportMetric(best.Seconds()*1000, "ms")
			})
		}
	}
}
