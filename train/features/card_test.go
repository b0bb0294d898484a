//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package features

import (
	"errors"
	"testing"

	"capgraph/kernels/cpu"
	"capgraph/kernels/cuda"
	"capgraph/testing/cudastub"
	"capgraph/testing/cutest"
)

// Features of a card are those of the CPU, but for what bf16 rounds.
func TestFeaturesOnACard(t *testing.T) {
	s := cudastub.Build(t)
	m, err := cutest.New("../../kernels")
	if errors.Is(err, cutest.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s.Compute(t, m, cutest.Forward)
	t.Setenv("LD_LIBRARY_PATH", s.Folder)
	host := cpu.New()
	defer host.Close()
	for _, c := range []struct {
		precision cuda.Precision
		most      float64
	}{{cuda.Float32, 1e-5}, {cuda.BFloat16, 2e-2}} {
		card, err := cuda.Open(0, c.precision)
		if err != nil {
			t.Fatal(err)
		}
		defer card.Close()
		texts := []string{"a cat", "", "a dog and a cat on a mat"}
		one, other := small(t, host), small(t, card)
		want, err := one.AppendImages(nil, pixels(3))
		if err == nil {
			want, err = one.AppendTexts(want, texts)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := other.AppendImages(nil, pixels(3))
		if err == nil {
			got, err = other.AppendTexts(got, texts)
		}
		if err != nil {
			t.Fatal(err)
		}
		near(t, got, want, c.most)
	}
}
