package cpu

import (
	"fmt"
	"testing"
	"time"

	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
	"capgraph/train/model"
)

// BenchmarkResNet is the image tower of a ResNet forward and backward: a small one and
// RN50.
func BenchmarkResNet(b *testing.B) {
	for _, s := range []struct {
		name                string
		stages              model.Stages
		width, side, images int
	}{{"1-1-1-1 of 16, 16 images of 64", model.Stages{1, 1, 1, 1}, 16, 64, 16}, {"RN50, 4 images of 224", model.Stages{3, 4, 6, 3}, 64, 224, 4}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d workers", s.name, workers), func(b *testing.B) {
				c := toy()
				c.Image = model.Image{Stages: s.stages, Width: s.width, HeadWidth: 64, PatchSize: 32, ImageSize: s.side, MLPRatio: 4}
				d := NewWith(simd.Best(), workers)
				defer d.Close()
				m, err := model.New(d, c)
				if err != nil {
					b.Fatal(err)
				}
				m.Initialise(1)
				t, pixels := kernels.NewTape(d, kernels.NewArena(d, 1<<20)), make([]byte, s.images*3*s.side*s.side)
				for i := range pixels {
					pixels[i] = byte(i * i)
				}
				var packer model.Packer
				best := time.Hour // what other programs do does not count
				for b.Loop() {
					start := time.Now()
					t.Reset()
					t.Arena.Empty()
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
