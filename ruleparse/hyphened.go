package ruleparse

import (
	"slices"

	"capgraph/schemas"
)

// hyphened makes one attribute of the words that a hyphen with spaces around it joins before
// their object, as captions of CC3M have them: "a time - lapse video", "a burnt - out car".
// In titles such a hyphen divides, and it does between colours and before a conjunction.
func (b *building) hyphened() {
	text, low, g := b.text, b.low, b.g
	for i := range g.Objects {
		o := &g.Objects[i]
		for k := 0; k < len(o.Attributes); k++ {
			a := &o.Attributes[k]
			end := afterHyphen(text, a.Begin, a.End)
			next := o.Begin
			if k+1 < len(o.Attributes) && o.Attributes[k+1].Begin < next {
				next = o.Attributes[k+1].Begin
			}
			switch {
			case end < 0 || a.Form == schemas.Post:
				continue
			case next == a.End+3 && next < o.Begin && o.Attributes[k+1].End == end:
				o.Attributes = slices.Delete(o.Attributes, k+1, k+2)
			case next != end+1:
				continue
			}
			a.End, a.Text = end, low[a.Begin:end]
		}
	}
}

// afterHyphen is the end of the word that a hyphen joins to the one from begin to end, or -1.
func afterHyphen(text string, begin, end int32) int32 {
	const hyphen = " - "
	from := end + int32(len(hyphen))
	to := from
	for int(to) < len(text) && text[to] >= 'a' && text[to] <= 'z' {
		to++
	}
	if to == from || text[end:from] != hyphen || text[begin] < 'a' || text[begin] > 'z' || oneOf(colours, text[from:to]) || oneOf(" and or ", text[from:to]) {
		return -1
	}
	return to
}
