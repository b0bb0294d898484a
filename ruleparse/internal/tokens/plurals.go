package tokens

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
)

// PluralVerbs decides whether a word that the tagger takes for a noun is the verb of a coordinated
// subject: "run" in "a boy and his dog run past a shop". The treebank has few such sentences. It is
// a binary linear model.
type PluralVerbs struct{ weights linear.Weights }

// ReadPluralVerbs reads the weights that the trainer writes.
func ReadPluralVerbs(s string) (*PluralVerbs, error) {
	w, err := linear.ReadWeights(s, 1)
	return &PluralVerbs{w}, err
}

// IsPluralVerb reports whether word i is a verb. [CanBePluralVerb] must be true of it.
func (v *PluralVerbs) IsPluralVerb(ts []Token, i int) bool {
	var buf [pluralFeatures]uint32
	return v.weights.Sum(AppendPluralContext(ts, i, buf[:0])) > 0
}

// maxPhrase is the most words between a word and the conjunction of the noun phrase before it.
const maxPhrase = 5

// CanBePluralVerb reports whether word i is tagged as a noun, can be the base form of a verb, and
// follows "and" with a noun phrase on both sides. set are its possible tags. The words before it
// must be tagged.
func CanBePluralVerb(ts []Token, i int, set uint64) bool {
	t := &ts[i]
	return t.Tag == penn.NN && set>>penn.VBP&1 != 0 && t.Flags&VerbBase != 0 && !t.Capital && conjunctionBefore(ts, i) > 0
}

// conjunctionBefore returns the index of the conjunction whose second phrase ends before word i, or
// -1.
func conjunctionBefore(ts []Token, i int) int {
	if i < 3 || !penn.IsNoun(ts[i-1].Tag) {
		return -1
	}
	for k := i - 2; k >= max(1, i-maxPhrase); k-- {
		switch tag := ts[k].Tag; {
		case tag == penn.CC:
			if ts[k].Low == "and" && penn.IsNoun(ts[k-1].Tag) {
				return k
			}
			return -1
		case !penn.IsNoun(tag) && tag != penn.DT && tag != penn.PRPS && tag != penn.CD && tag != penn.JJ:
			return -1
		}
	}
	return -1
}

const pluralFeatures = 19

// AppendPluralContext appends the features of word i for [PluralVerbs].
func AppendPluralContext(ts []Token, i int, f []uint32) []uint32 {
	and := conjunctionBefore(ts, i)
	first, last, t := &ts[and-1], &ts[i-1], &ts[i]
	next, second := AtOrBorder(ts, int32(i)+1), AtOrBorder(ts, int32(i)+2)
	alive := uint32(0)
	if first.IsAlive() {
		alive = 1
	}
	if last.IsAlive() {
		alive |= 2
	}
	start := uint32(2) // code of the tag that precedes the two phrases; 2 for none
	for k := and - 2; k >= 0; k-- {
		if tag := ts[k].Tag; !penn.IsNoun(tag) && tag != penn.DT && tag != penn.CD && tag != penn.JJ && tag != penn.PRPS {
			start = uint32(tag) << 2
			break
		}
	}
	opener := AtOrBorder(ts, int32(and)+1)
	return append(f,
		linear.Join(1, alive), linear.Join(2, t.Hash), linear.Join(3, next.Hash), linear.Join(4, uint32(next.Flags)), linear.Join(5, last.Hash),
		linear.Join(6, linear.Join(last.Hash, t.Hash)), linear.Join(7, linear.Join(t.Hash, next.Hash)), linear.Join(8, uint32(first.Class)<<8|uint32(last.Class)),
		linear.Join(9, start), linear.Join(10, start<<2|alive), linear.Join(11, linear.Join(alive, next.Hash)), linear.Join(12, linear.Join(t.Hash, alive)),
		linear.Join(13, uint32(t.Class)<<8|uint32(last.Class)), linear.Join(14, linear.Join(uint32(next.Flags), uint32(second.Flags))),
		linear.Join(15, opener.Hash), linear.Join(16, uint32(t.Class)), linear.Join(17, linear.Join(uint32(next.Flags), alive)), linear.Join(18, second.Hash),
		linear.Join(19, uint32(i-and)),
	)
}
