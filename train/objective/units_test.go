package objective

import (
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/train/loader"
)

// TestPhrasesOfOtherImages has a phrase that is true of two images, and an image without phrases.
func TestPhrasesOfOtherImages(t *testing.T) {
	text := func(id int64) loader.Text { return loader.Text{Text: string(rune('a' + id)), ID: id} }
	samples := []*loader.Sample{
		{Positives: []loader.Text{text(1), text(2), text(3)}, Known: []int64{1, 2, 3}},
		{Positives: []loader.Text{text(4), text(3)}, Known: []int64{3, 4}},
		{Positives: []loader.Text{text(5)}, Known: []int64{5}},
	}
	var b Batch
	var o C2LIP
	b.Begin(samples, false)
	o.Prepare(&b)
	const own = kernels.MaskPositive
	if want := []byte{own, own, own, 0, own, own, 0, 0, 0}; !slices.Equal(o.mask, want) {
		t.Errorf("got %v, want %v", o.mask, want)
	}
	b.Begin(samples[2:], false)
	o.Prepare(&b)
	if !slices.Equal(o.mask, []byte{kernels.MaskIgnored}) {
		t.Errorf("without phrases: %v", o.mask)
	}
}

// TestPairsThatSayTheSame has the same text with one paraphrase twice, and once turned around.
func TestPairsThatSayTheSame(t *testing.T) {
	pair := func(a, b int64) [2]loader.Text {
		return [2]loader.Text{{Text: string(rune('a' + a)), ID: a}, {Text: string(rune('a' + b)), ID: b}}
	}
	samples := []*loader.Sample{
		{Paraphrases: [][2]loader.Text{pair(1, 2), pair(3, 4)}},
		{},
		{Paraphrases: [][2]loader.Text{pair(1, 2), pair(4, 3)}},
	}
	var b Batch
	var o READCLIP
	b.Begin(samples, false)
	o.Prepare(&b)
	const own, out = kernels.MaskPositive, kernels.MaskIgnored
	if want := []byte{own, 0, out, 0, 0, own, 0, out, out, 0, own, 0, 0, out, 0, own}; !slices.Equal(o.mask, want) {
		t.Errorf("got %v, want %v", o.mask, want)
	}
	b.Begin(samples[1:2], false)
	o.Prepare(&b)
	if !slices.Equal(o.mask, []byte{kernels.MaskIgnored}) {
		t.Errorf("without pairs: %v", o.mask)
	}
}
