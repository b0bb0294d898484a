package objective

import (
	"fmt"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/train/loader"
)

// TestMaskOfWhatOtherImagesState has two images of three texts each: what both masks take for true.
func TestMaskOfWhatOtherImagesState(t *testing.T) {
	text := func(id int64, parts ...int32) loader.Text {
		return loader.Text{Text: fmt.Sprint(id), ID: id, Parts: parts}
	}
	negative := func(id int64, parts ...int32) loader.Negative {
		return loader.Negative{Text: fmt.Sprint(id), ID: id, Parts: parts}
	}
	samples := []*loader.Sample{
		{
			Positives: []loader.Text{text(1, 1), text(2, 1, 2)}, Known: []int64{1, 2}, KnownParts: []int32{1, 2, 3},
			// The caption is not compared by its graph. Of another image: one that it states, one of unknown parts. The first states what its own image
			// does, and was judged to be false of it.
			Negatives: []loader.Negative{negative(3, 1, 3), negative(4)},
		},
		{
			Positives: []loader.Text{text(5, 1, 3, 9), text(6, 3)}, Known: []int64{2, 5, 6}, KnownParts: []int32{1, 3, 9},
			Negatives: []loader.Negative{negative(1, 2), negative(8, 2, 9)},
		},
	}
	const own, out = kernels.MaskPositive, kernels.MaskIgnored
	for _, c := range []struct {
		entailed bool
		want     []byte // of positives 1, 2, 5, 6 and negatives 3, 4, 1, 8
	}{
		{false, []byte{own, own, 0, 0, 0, 0, out, 0, 0, own, own, own, 0, 0, 0, 0}},
		{true, []byte{own, own, 0, own, 0, 0, out, 0, 0, own, own, own, out, 0, 0, 0}},
	} {
		o := NewMosaiCLIP(MosaiCLIPOptions{Entailed: c.entailed})
		for range 2 { // its memory is used again
			var b Batch
			b.Begin(samples, false)
			o.Prepare(&b)
			if !slices.Equal(o.mask, c.want) {
				t.Errorf("entailed %v: got %v, want %v", c.entailed, o.mask, c.want)
			}
		}
	}
}
