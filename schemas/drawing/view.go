package drawing

import (
	"slices"
	"strings"

	"capgraph/internal/portable"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// Views are the weights of the texts that may be used for the caption of a row in an epoch.
// draw_view in python/capgraph_torch/draw.py is the same in Python (docs/format.md, "The draw").
type Views struct {
	// Whole, Sentences and Parts are the weights of the whole caption, of some of its sentences,
	// and of a positive of the row: whole numbers in proportion to their probabilities. If all are
	// 0, the whole caption is used.
	Whole, Sentences, Parts uint64
	// LeaveFirst omits the first sentence of captions with several, since it summarises the others.
	LeaveFirst bool
}

// AreWhole reports whether always the whole caption is used.
func (v Views) AreWhole() bool { return v.Sentences == 0 && v.Parts == 0 && !v.LeaveFirst }

// View draws the text that is used for the caption of the row with a key. k is the index of the
// positive with that text, or −1 if it is none.
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

// listParts returns the indices of the positives that may replace the caption: all but the caption,
// and without bare ones unless d.Bare is set.
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

// pickSentences returns some of the sentences, in their order: it draws first how many, then which.
func pickSentences(s *portable.SplitMix64, sentences []string) []string {
	left := len(sentences) - 1 - s.IntN(len(sentences))
	kept := slices.Clone(sentences)
	for range left {
		i := s.IntN(len(kept))
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}
