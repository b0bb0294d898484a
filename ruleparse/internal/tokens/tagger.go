package tokens

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
)

// Tagger chooses tags from left to right, among those that a word had in the treebank. Its linear
// model sees the word, its neighbours and the two previous tags.
type Tagger struct {
	weights linear.Weights
	Seen    map[uint32]uint64 // hash of a frequent word → set of its tags
	Plurals *PluralVerbs      // nil for none
	Verbs   *SubjectVerbs     // nil for none
}

// OpenTags are the possible tags of an unknown word.
const OpenTags = 1<<penn.NN | 1<<penn.NNS | 1<<penn.NNP | 1<<penn.NNPS | 1<<penn.JJ | 1<<penn.JJR | 1<<penn.JJS | 1<<penn.VB | 1<<penn.VBD |
	1<<penn.VBG | 1<<penn.VBN | 1<<penn.VBP | 1<<penn.VBZ | 1<<penn.CD | 1<<penn.RB | 1<<penn.RBR | 1<<penn.RBS | 1<<penn.UH | 1<<penn.FW | 1<<penn.IN

// Casing is the meaning of capitals in a text.
type Casing uint8

const (
	Uncased  Casing = iota // only the first word may begin with a capital
	cased                  // other words are capitalised too
	shouting               // most words are capitalised, so that capitals mean nothing
)

// CasingOf returns the casing of a text.
func CasingOf(ts []Token) Casing {
	words, capitals, inside := 0, 0, false
	for i := range ts {
		if ts[i].Kind == Letters {
			words++
			if ts[i].Capital {
				capitals++
				inside = inside || i > 0
			}
		}
	}
	switch {
	case capitals*2 > words:
		return shouting
	case inside:
		return cased
	}
	return Uncased
}

// The shape of a word, added to its kind.
const (
	shapeCapital = 8 << iota
	shapeFirst   // capitalised, at the begin of a sentence
	shapeCased   // capitalised, in a text of casing cased
	shapeCapitals
	shapeAfterCapital
	shapeBeforeCapital
	shapeOwn = shapeAfterCapital - 1 // without the neighbours
)

func shapeOf(ts []Token, i int, c Casing) uint32 {
	t := &ts[i]
	shape := uint32(t.Kind)
	if t.Capital && c != shouting {
		shape |= shapeCapital
		if i == 0 {
			shape |= shapeFirst
		}
	}
	if c != cased {
		return shape
	}
	shape |= shapeCased
	if t.Capitals {
		shape |= shapeCapitals
	}
	if i > 0 && ts[i-1].Capital {
		shape |= shapeAfterCapital
	}
	if i+1 < len(ts) && ts[i+1].Capital {
		shape |= shapeBeforeCapital
	}
	return shape
}

const tagFeatures = 29

// AppendTagContext appends the features of word i that do not depend on earlier tags. own and next
// are the sets of tags that the word and the next word had in the treebank.
func AppendTagContext(ts []Token, i int, c Casing, own, next uint64, f []uint32) []uint32 {
	t := &ts[i]
	var l, ll, r, rr uint32
	var lf, rf, rrf Flags
	if i > 0 {
		l, lf = ts[i-1].Hash, ts[i-1].Flags
	}
	if i > 1 {
		ll = ts[i-2].Hash
	}
	if i+1 < len(ts) {
		r, rf = ts[i+1].Hash, ts[i+1].Flags
	}
	if i+2 < len(ts) {
		rr, rrf = ts[i+2].Hash, ts[i+2].Flags
	}
	shape := shapeOf(ts, i, c)
	nextSet := hashTags(next)
	w := t.Low
	n := len(w)
	form := uint32(t.Flags)
	f = append(f,
		linear.Join(1, t.Hash),
		linear.Join(2, linear.Hash(w[max(0, n-2):])),
		linear.Join(3, linear.Hash(w[max(0, n-3):])),
		linear.Join(4, linear.Hash(w[max(0, n-4):])),
		linear.Join(5, linear.Hash(w[:min(n, 3)])),
		linear.Join(6, form),
		linear.Join(7, shape<<16|form),
		linear.Join(8, l),
		linear.Join(9, r),
		linear.Join(10, ll),
		linear.Join(11, rr),
		linear.Join(12, linear.Join(l, t.Hash)),
		linear.Join(13, linear.Join(t.Hash, r)),
		linear.Join(14, linear.Join(form, uint32(rf))),
		linear.Join(15, linear.Join(t.Hash, uint32(rf))),
		linear.Join(16, linear.Join(linear.Join(uint32(lf), form), uint32(rf))),
		linear.Join(17, linear.Join(uint32(rf), uint32(rrf))),
		linear.Join(18, uint32(t.Class)),
		linear.Join(19, shape),
		linear.Join(20, linear.Join(t.Hash, shape&shapeOwn)),
		linear.Join(21, nextSet),
		linear.Join(22, linear.Join(nextSet, t.Hash)),
		linear.Join(23, linear.Join(nextSet, hashTags(own))),
		linear.Join(24, shape&shapeOwn),
	)
	return f
}

// AppendTagHistory appends the features that depend on the previous tag, one, and the tag before
// that, two.
func AppendTagHistory(t *Token, one, two penn.Tag, rf Flags, f []uint32) []uint32 {
	h := uint32(one)
	return append(f,
		linear.Join(30, h),
		linear.Join(31, h<<8|uint32(two)),
		linear.Join(32, linear.Join(h, t.Hash)),
		linear.Join(33, linear.Join(h, uint32(t.Flags))),
		linear.Join(34, linear.Join(h<<16|uint32(rf), uint32(t.Flags))),
	)
}

// hashTags returns the hash of a set of tags.
func hashTags(set uint64) uint32 { return linear.Join(uint32(set), uint32(set>>32)) }

// AllowedTags returns the set of tags that t can have. In a text without capitals, a word of the
// lexicon cannot be a name. known reports whether the word was in the treebank.
func (g *Tagger) AllowedTags(t *Token, c Casing) (set uint64, known bool) {
	set, known = g.Seen[t.Hash]
	if !known {
		set = OpenTags
	}
	if c == Uncased && !t.Capital && t.Flags&Named == 0 && t.Flags&(AnyNoun|AnyVerb|Adjective|Adverb) != 0 {
		if common := set &^ (1<<penn.NNP | 1<<penn.NNPS); common != 0 {
			set = common
		}
	}
	return set, known
}

// Tag sets the tags of ts.
func (g *Tagger) Tag(ts []Token) {
	c := CasingOf(ts)
	var buf [tagFeatures]uint32
	one, two := penn.Period, penn.Period
	for i := range ts {
		t := &ts[i]
		set, known := g.AllowedTags(t, c)
		switch {
		case t.Kind == Mark && !known || t.Kind == address:
			t.Tag = tagOfMark(t)
		case len(ts) == 1 && t.Flags&VerbIng != 0 && (!known || set>>penn.VBG&1 != 0):
			t.Tag = penn.VBG // the text is a single word in -ing
		case known && set&(set-1) == 0:
			t.Tag = penn.Tag(bits.TrailingZeros64(set))
		default:
			var rf Flags
			var next uint64
			if i+1 < len(ts) {
				rf, next = ts[i+1].Flags, g.Seen[ts[i+1].Hash]
			}
			f := AppendTagContext(ts, i, c, g.Seen[t.Hash], next, buf[:0])
			f = AppendTagHistory(t, one, two, rf, f)
			t.Tag = g.bestTag(f, set)
			if g.Plurals != nil && CanBePluralVerb(ts, i, set) && g.Plurals.IsPluralVerb(ts, i) {
				t.Tag = penn.VBP
			} else if tag, ok := VerbTag(ts, i, set); ok && g.Verbs != nil && g.Verbs.IsVerb(ts, i) {
				t.Tag, t.IsFinite = tag, true
			}
		}
		one, two = t.Tag, one
	}
}

// bestTag returns the tag of set with the highest score.
func (g *Tagger) bestTag(f []uint32, set uint64) penn.Tag {
	var starts [tagFeatures]uint64
	for i, h := range f {
		starts[i] = linear.RowStart(h, len(g.weights.Data), penn.Count)
	}
	best, top := penn.Tag(0), int32(math.MinInt32)
	for ; set != 0; set &= set - 1 {
		t := bits.TrailingZeros64(set)
		column := g.weights.Data[t:]
		var score int32
		for _, i := range starts[:len(f)] {
			score += int32(int8(column[i]))
		}
		if score > top {
			best, top = penn.Tag(t), score
		}
	}
	return best
}

// ReadTagger reads the model that the trainer writes.
func ReadTagger(s string) (*Tagger, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("tagger: cut off")
	}
	n := int(binary.LittleEndian.Uint32([]byte(s[:4])))
	if len(s)-4 < n*12 {
		return nil, fmt.Errorf("tagger: cut off")
	}
	g := &Tagger{Seen: make(map[uint32]uint64, n)}
	for i := range n {
		r := []byte(s[4+12*i : 16+12*i])
		g.Seen[binary.LittleEndian.Uint32(r)] = binary.LittleEndian.Uint64(r[4:])
	}
	var err error
	g.weights, err = linear.ReadWeights(s[4+12*n:], penn.Count)
	return g, err
}

// tagOfMark returns the tag of punctuation, a symbol or a URL.
func tagOfMark(t *Token) penn.Tag {
	if t.Kind == address {
		return penn.ADD
	}
	switch t.Low {
	case ",":
		return penn.Comma
	case ".", "!", "?", "...", "..", "…", "!!", "??", "!!!":
		return penn.Period
	case ":", ";", "-", "--", "–", "—", "|", "/":
		return penn.Colon
	case "\"", "“", "``":
		return penn.Open
	case "”", "''":
		return penn.Close
	case "'", "’", "‘":
		return penn.Close
	case "(", "[", "{":
		return penn.LRB
	case ")", "]", "}":
		return penn.RRB
	case "$", "€", "£":
		return penn.Dollar
	case "#":
		return penn.Hash
	case "&", "+":
		return penn.CC
	}
	return penn.SYM
}
