package drawing

import (
	"slices"
	"strings"

	"capgraph/internal/portable"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// Views say which text an epoch takes for the caption of a row. draw_view in
// python/capgraph_torch/draw.py is the same in Python (docs/format.md, "The draw").
type Views struct {
	// Whole, Sentences and Parts are how often it is the whole caption, some of its sentences, and a
	// positive of the row, as whole numbers in proportion. With all 0 it is the whole caption.
	Whole, Sentences, Parts uint64
	// LeaveFirst leaves the first sentence, which sums up the rest, out of captions of several.
	LeaveFirst bool
}

// AreWhole reports whether captions are taken as they are.
func (v Views) AreWhole() bool { return v.Sentences == 0 && v.Parts == 0 && !v.LeaveFirst }

// View draws the text that an epoch takes for the caption of the row with that key. k is the positive
// with that text, −1 if none of them is meant.
func (d Draw) View(key string, p *schemas.Pool, v Views) (view string, k int) {
	if len(p.Positives) == 0 {
		return "", -1
	}
	caption := p.Positives[0].Text
	if v.AreWhole() {
		return caption, 0
	}
	sentences := text.Sentences(caption)
	whole := caption
	if v.LeaveFirst && len(sentences) > 1 {
		sentences = sentences[1:]
		whole = strings.Join(sentences, " ")
	}
	parts := d.listParts(p)
	if len(sentences) < 2 {
		v.Sentences = 0
	}
	if len(parts) == 0 {
		v.Parts = 0
	}
	s := d.Random("view", key)
	r := uint64(0)
	if sum := v.Whole + v.Sentences + v.Parts; sum > 0 {
		r = s.Next() % sum
	}
	switch {
	case r < v.Whole || v.Sentences+v.Parts == 0:
		if whole == caption {
			return caption, 0
		}
		return whole, -1
	case r < v.Whole+v.Sentences:
		return strings.Join(pickSentences(&s, sentences), " "), -1
	}
	k = parts[s.IntN(len(parts))]
	return p.Positives[k].Text, k
}

// listParts returns the positives beside the caption that may be its view: those that are not bare,
// unless the draw takes these too.
func (d Draw) listParts(p *schemas.Pool) (parts []int) {
	var bare []bool
	if !d.Bare {
		bare = BarePositives(p)
	}
	for k := 1; k < len(p.Positives); k++ {
		if bare == nil || !bare[k] {
			parts = append(parts, k)
		}
	}
	return parts
}

// pickSentences draws how many of the sentences are taken, and then which, in their order.
func pickSentences(s *portable.SplitMix64, sentences []string) []string {
	left := len(sentences) - 1 - s.IntN(len(sentences))
	kept := slices.Clone(sentences)
	for range left {
		i := s.IntN(len(kept))
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}
