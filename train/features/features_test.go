package features

import (
	"errors"
	"strings"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/train/model"
)

// letters is a tokenizer of a token a byte.
type letters struct{}

func (letters) Encode(dst []int32, text string) []int32 {
	dst = append(dst, 126)
	for _, b := range []byte(text) {
		dst = append(dst, int32(b)%126)
	}
	return append(dst, 127)
}

func (letters) Size() int    { return 128 }
func (letters) Context() int { return 32 }
func (letters) Start() int32 { return 126 }
func (letters) End() int32   { return 127 }

// small is an encoder of a small model with random weights.
func small(t *testing.T, d kernels.Device) *Encoder {
	t.Helper()
	c, err := model.Parse([]byte(`{"embed_dim": 16, "vision_cfg": {"image_size": 16, "patch_size": 8, "width": 32, "layers": 3, "head_width": 8},
		"text_cfg": {"context_length": 32, "vocab_size": 128, "width": 32, "heads": 4, "layers": 3}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(d, c, model.ImageTower, model.TextTower)
	if err != nil {
		t.Fatal(err)
	}
	m.Initialise(3)
	return New(m, letters{})
}

// pixels are n images of noise.
func pixels(n int) []byte {
	random, p := portable.SplitMix64(5), make([]byte, n*16*16*3)
	for i := range p {
		p[i] = byte(random.IntN(256))
	}
	return p
}

// Features do not depend on what they are encoded together with, and their memory
// not on how many there are.
func TestFeaturesAloneAndTogether(t *testing.T) {
	d := cpu.New()
	defer d.Close()
	e := small(t, d)
	n := 3*maxTokens/e.model.Config.Image.Tokens() + 7
	all, err := e.AppendImages(nil, pixels(n))
	if err != nil || len(all) != n*e.Width() {
		t.Fatalf("%d numbers, %v", len(all), err)
	}
	size := 16 * 16 * 3
	if top := e.tape.Arena.Peak() + e.tape.Scratch.Arena.Peak(); top > maxTokens*32*24 {
		t.Errorf("%d images take %d numbers", n, top)
	}
	for _, i := range []int{0, n / 2, n - 1} {
		one, err := e.AppendImages(nil, pixels(n)[i*size:(i+1)*size])
		if err != nil {
			t.Fatal(err)
		}
		near(t, one, all[i*e.Width():(i+1)*e.Width()], 1e-5)
	}
	if none, err := e.AppendTexts(nil, nil); len(none) > 0 || err != nil {
		t.Errorf("no texts: %v, %v", none, err)
	}
	if _, err := e.AppendImages(nil, make([]byte, size+1)); err == nil {
		t.Error("half an image is one")
	}
}

// full is a device without memory.
type full struct{ kernels.Device }

func (full) Err() error { return kernels.ErrMemory }

func TestADeviceThatFailsGivesNoFeatures(t *testing.T) {
	d := cpu.New()
	defer d.Close()
	e := small(t, full{d})
	if _, err := e.AppendTexts(nil, []string{"a cat"}); !errors.Is(err, kernels.ErrMemory) || !strings.Contains(err.Error(), "such as cpu") {
		t.Errorf("texts: %v", err)
	}
	if _, err := e.AppendImages(nil, pixels(1)); !errors.Is(err, kernels.ErrMemory) {
		t.Errorf("images: %v", err)
	}
}

func near(t *testing.T, got, want []float32, most float64) {
	t.Helper()
	for k := range want {
		if d := float64(got[k] - want[k]); !(d < most && -d < most) {
			t.Fatalf("%v at %d, not %v", got[k], k, want[k])
		}
	}
}

// TestFeaturesThatAreNotFinite are an error, since their scores would look like any other.
func TestFeaturesThatAreNotFinite(t *testing.T) {
	d := cpu.New()
	defer d.Close()
	e := small(t, d)
	for i, s := range e.model.Specs {
		if s.Name == "visual.proj" || s.Name == "text_projection" {
			x := make([]float64, s.Len())
			for k := range x {
				x[k] = 1e38 // finite, and its products are not
			}
			d.Write(e.model.Vars[i].Value, x)
		}
	}
	if _, err := e.AppendImages(nil, pixels(2)); err == nil || !strings.Contains(err.Error(), "features of image 1 of the batch are not finite") {
		t.Error(err)
	}
	if _, err := e.AppendTexts(nil, []string{"a cat"}); err == nil || !strings.Contains(err.Error(), "features of text 1 of the batch are not finite") {
		t.Error(err)
	}
}
