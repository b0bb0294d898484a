package features

import (
	"math"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/testing/golden"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// listed is a tokenizer of words that are tokens, the letter @ the first, with none for "-".
type listed struct{ tokenizer.Tokenizer }

func (listed) Context() int { return 12 }
func (listed) Start() int32 { return 62 }
func (listed) End() int32   { return 63 }

func (listed) Encode(dst []int32, text string) []int32 {
	dst = append(dst, 62)
	for _, b := range []byte(strings.Trim(text, "-")) {
		dst = append(dst, int32(b-'@'))
	}
	return append(dst, 63)
}

func wordOf(tokens []int32) string {
	var word []byte
	for _, id := range tokens {
		word = append(word, byte('@'+id))
	}
	return string(word)
}

// tiny is the model of the golden values.
func tiny(t *testing.T, d kernels.Device) *Folder {
	t.Helper()
	g, err := golden.Read()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(d, g.Model, model.ImageTower, model.TextTower)
	if err == nil {
		err = g.Weights.Apply(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return NewFolder(New(m, listed{}), nil)
}

// Spans that are encoded together are what each is where all else is masked, in PyTorch.
func TestSpansAreThoseOfMaskedAttention(t *testing.T) {
	want, err := golden.ReadSpans()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range want {
		var words []string
		for _, w := range s.Words {
			words = append(words, wordOf(w))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	c := cpu.New()
	defer c.Close()
	for _, on := range []struct {
		device kernels.Device
		off    float64
	}{{kernels.NewReference(), 1e-9}, {c, 1e-5}} {
		got, err := tiny(t, on.device).Spans(t.Context(), texts)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d charts, %v", len(got), err)
		}
		for i, text := range texts {
			if len(got[i]) != len(want[i].Layers) {
				t.Fatalf("%q: %d layers", text, len(got[i]))
			}
			for l, chart := range want[i].Layers {
				for first, row := range chart {
					for more, x := range row {
						if y := got[i][l][first][more]; math.Abs(x-y) > on.off {
							t.Errorf("%s: %q from layer %d, word %d and %d more: %v, want %v", on.device.Name(), text, l, first, more, y, x)
						}
					}
				}
			}
		}
	}
}

// Texts that are too long lose their last words, words without tokens are none, and
// texts that lie in different packs are as they are alone.
func TestSpansAtTheEdges(t *testing.T) {
	d := cpu.New()
	defer d.Close()
	f := tiny(t, d)
	texts := []string{"", " ", "-", "A - B", "AB CDEFGHI J K L", "ABCDEFGHIJKLMNOP Q", "A B C D E F G H I J K"}
	words := []int{0, 0, 0, 2, 3, 0, 10}
	var many []string
	for range 40 {
		many = append(many, texts...)
	}
	charts, err := f.Spans(t.Context(), many)
	if err != nil || len(charts) != len(many) {
		t.Fatalf("%d charts, %v", len(charts), err)
	}
	for i, of := range charts {
		if len(of) != 2 || len(of[0]) != words[i%len(words)] {
			t.Fatalf("%q: %d layers, %d words", many[i], len(of), len(of[0]))
		}
		for first := range of[1] {
			for more, x := range of[1][first] {
				if y := charts[i%len(words)][1][first][more]; math.Abs(x-y) > 1e-5 || math.Abs(x) > 1+1e-5 {
					t.Fatalf("%q: %v here and %v there", many[i], x, y)
				}
			}
		}
	}
	if none, err := f.Spans(t.Context(), nil); len(none) > 0 || err != nil {
		t.Errorf("no texts: %v, %v", none, err)
	}
}
