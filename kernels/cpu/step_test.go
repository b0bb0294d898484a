package cpu

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu/simd"
	"capgraph/testing/longtest"
	"capgraph/train/model"
	"capgraph/train/optimiser"
)

// toyConfig is a dual encoder of about the size of the documented recipe's.
func toyConfig() model.Config {
	return model.Config{
		EmbedDim: 64,
		Image:    model.Image{Layers: 2, Width: 64, HeadWidth: 32, PatchSize: 8, ImageSize: 32, MLPRatio: 4},
		Text:     model.Text{ContextLength: 77, VocabSize: 512, Layers: 2, Width: 64, Heads: 2, MLPRatio: 4},
		Mean:     [3]float64{0.5, 0.5, 0.5},
		Std:      [3]float64{0.25, 0.25, 0.25},
	}
}

// trainer is all that steps of CLIP need: images, and as many texts, of which each
// has a length from shortest on.
type trainer struct {
	device       *Device
	model        *model.Model
	optimiser    *optimiser.Optimiser
	tape         *kernels.Tape
	pixels, mask []byte
	ids, lengths []int32
	images       model.Packer
	texts        model.Packer
}

func newTrainer(t testing.TB, d *Device, c model.Config, n, shortest, longest int) *trainer {
	t.Helper()
	m, err := model.New(d, c)
	if err != nil {
		t.Fatal(err)
	}
	m.Initialise(1)
	s := &trainer{
		device: d, model: m, tape: kernels.NewTape(d, kernels.NewArena(d, 1<<20)),
		optimiser: optimiser.New(m, optimiser.Options{Beta1: 0.9, Beta2: 0.98, Epsilon: 1e-6, Rate: optimiser.Rate{LearningRate: 1e-3, WeightDecay: 0.1}}),
		pixels:    make([]byte, n*3*c.Image.ImageSize*c.Image.ImageSize), mask: make([]byte, n*n),
	}
	random := portable.SplitMix64(7)
	for i := range s.pixels {
		s.pixels[i] = byte(random.Next() >> 56)
	}
	for i := range n {
		s.mask[i*n+i] = kernels.MaskPositive
		s.lengths = append(s.lengths, int32(shortest+random.IntN(longest-shortest+1)))
		for range s.lengths[i] {
			s.ids = append(s.ids, int32(random.IntN(c.Text.VocabSize)))
		}
	}
	return s
}

// step is one step of CLIP; the loss before it.
func (s *trainer) step() float64 {
	t, m, n := s.tape, s.model, len(s.lengths)
	t.Reset()
	t.Arena.Reset()
	s.device.Reset()
	s.device.Zero(m.Gradients())
	u := t.Normalize(m.EncodeImages(t, s.images.Images(s.device, m.Config, s.pixels)))
	v := t.Normalize(m.EncodeTexts(t, s.texts.Texts(s.device, m.Config, s.ids, s.lengths, model.Room{})))
	loss := t.Contrastive(t.Similarity(u, v, m.LogScale()), s.device.Bytes(s.mask), n, 0.5/float64(n), 0.5/float64(n))
	t.Seed(loss, kernels.Tensor{})
	t.Backward()
	if _, err := s.optimiser.GradientNorm(); err != nil {
		panic(err)
	}
	s.optimiser.Step()
	return float64(loss.Value.F32[0])
}

func TestStepsLearnTheirBatchWithTheSameBitsForAnyWorkers(t *testing.T) {
	for _, set := range sets() {
		var first []float32
		for _, workers := range []int{1, 2, 5} {
			d := NewWith(set, workers)
			s := newTrainer(t, d, toyConfig(), 8, 1, 12)
			before, after := s.step(), 0.0
			for range 10 {
				after = s.step()
			}
			if !(after < before/2) {
				t.Errorf("%s: the loss went from %v to %v", set.Name, before, after)
			}
			var got []float32
			for _, v := range s.model.Vars {
				got = append(got, v.Value.F32...)
			}
			if first == nil {
				first = got
			} else if !slices.Equal(got, first) {
				t.Errorf("%s: %d workers end with other bits than one", set.Name, workers)
			}
			d.Close()
		}
	}
}

func TestAStepAllocatesNothing(t *testing.T) {
	if longtest.Racing() {
		t.Skip("the race detector allocates")
	}
	for _, set := range simd.Available() {
		d := NewWith(set, 2)
		defer d.Close()
		s := newTrainer(t, d, toyConfig(), 8, 1, 12)
		s.step()
		s.step()
		if n := testing.AllocsPerRun(5, func() { s.step() }); n > 0 {
			t.Errorf("%s: a step allocates %v times", set.Name, n)
		}
	}
}

// BenchmarkStep is a step of batch 64, width 64 and two layers: with the texts of
// sub-graphs, of captions, and padded to 77 tokens as PyTorch does it.
func BenchmarkStep(b *testing.B) {
	for _, set := range simd.Available() {
		for _, lengths := range [][2]int{{5, 9}, {8, 16}, {77, 77}} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%d-%d tokens/%d workers", set.Name, lengths[0], lengths[1], workers), func(b *testing.B) {
					d := NewWith(set, workers)
					defer d.Close()
					s := newTrainer(b, d, toyConfig(), 64, lengths[0], lengths[1])
					s.step()
					b.ReportAllocs()
					best := time.Hour // what other programs do does not count
					for b.Loop() {
						start := time.Now()
						s.step()
						best = min(best, time.Since(start))
					}
					b.ReportMetric(best.Seconds()*1000, "ms")
				})
			}
		}
	}
}
