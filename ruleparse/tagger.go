package ruleparse

import (
	"math"
	"math/bits"
)

// tagger chooses tags from left to right with a linear model over the word, its
// neighbours and the two tags before, among the tags that the word was seen with.
type tagger struct {
	weights weights
	seen    map[uint32]uint64 // hash of a frequent word → set of its tags
}

// openTags are what a word that was never seen can be.
const openTags = 1<<tagNN | 1<<tagNNS | 1<<tagNNP | 1<<tagNNPS | 1<<tagJJ | 1<<tagJJR | 1<<tagJJS | 1<<tagVB | 1<<tagVBD |
	1<<tagVBG | 1<<tagVBN | 1<<tagVBP | 1<<tagVBZ | 1<<tagCD | 1<<tagRB | 1<<tagRBR | 1<<tagRBS | 1<<tagUH | 1<<tagFW | 1<<tagIN

// casing is what the capitals of a text tell.
type casing uint8

const (
	uncased  casing = iota // no word but the first begins with one
	cased                  // some do
	shouting               // most do, which tells nothing
)

func casingOf(ts []span) casing {
	words, capitals, inside := 0, 0, false
	for i := range ts {
		if ts[i].kind == letters {
			words++
			if ts[i].capital {
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
	return uncased
}

// What a word looks like, beside its kind.
const (
	shapeCapital = 8 << iota
	shapeFirst   // with a capital, at the beginning
	shapeCased   // in a text with capitals
	shapeCapitals
	shapeAfterCapital
	shapeBeforeCapital
	shapeOwn = shapeAfterCapital - 1 // without the neighbours
)

func shapeOf(ts []span, i int, c casing) uint32 {
	t := &ts[i]
	shape := uint32(t.kind)
	if t.capital && c != shouting {
		shape |= shapeCapital
		if i == 0 {
			shape |= shapeFirst
		}
	}
	if c != cased {
		return shape
	}
	shape |= shapeCased
	if t.capitals {
		shape |= shapeCapitals
	}
	if i > 0 && ts[i-1].capital {
		shape |= shapeAfterCapital
	}
	if i+1 < len(ts) && ts[i+1].capital {
		shape |= shapeBeforeCapital
	}
	return shape
}

const tagFeatures = 29

// tagContext collects what does not depend on the tags chosen before. own and
// next are the sets of tags that the word and the next one were seen with.
func tagContext(ts []span, i int, c casing, own, next uint64, f []uint32) []uint32 {
	t := &ts[i]
	var l, ll, r, rr uint32
	var lf, rf, rrf flags
	if i > 0 {
		l, lf = ts[i-1].hash, ts[i-1].flags
	}
	if i > 1 {
		ll = ts[i-2].hash
	}
	if i+1 < len(ts) {
		r, rf = ts[i+1].hash, ts[i+1].flags
	}
	if i+2 < len(ts) {
		rr, rrf = ts[i+2].hash, ts[i+2].flags
	}
	shape := shapeOf(ts, i, c)
	nextSet := hashSet(next)
	w := t.low
	n := len(w)
	form := uint32(t.flags)
	f = append(f,
		join(1, t.hash),
		join(2, hashString(w[max(0, n-2):])),
		join(3, hashString(w[max(0, n-3):])),
		join(4, hashString(w[max(0, n-4):])),
		join(5, hashString(w[:min(n, 3)])),
		join(6, form),
		join(7, shape<<16|form),
		join(8, l),
		join(9, r),
		join(10, ll),
		join(11, rr),
		join(12, join(l, t.hash)),
		join(13, join(t.hash, r)),
		join(14, join(form, uint32(rf))),
		join(15, join(t.hash, uint32(rf))),
		join(16, join(join(uint32(lf), form), uint32(rf))),
		join(17, join(uint32(rf), uint32(rrf))),
		join(18, uint32(t.class)),
		join(19, shape),
		join(20, join(t.hash, shape&shapeOwn)),
		join(21, nextSet),
		join(22, join(nextSet, t.hash)),
		join(23, join(nextSet, hashSet(own))),
		join(24, shape&shapeOwn),
	)
	return f
}

// tagHistory collects what depends on the two tags before.
func tagHistory(t *span, one, two tag, rf flags, f []uint32) []uint32 {
	h := uint32(one)
	return append(f,
		join(30, h),
		join(31, h<<8|uint32(two)),
		join(32, join(h, t.hash)),
		join(33, join(h, uint32(t.flags))),
		join(34, join(h<<16|uint32(rf), uint32(t.flags))),
	)
}

// hashSet is the hash of a set of tags.
func hashSet(set uint64) uint32 { return join(uint32(set), uint32(set>>32)) }

// allowed are the tags that t can have. In a text without capitals a word of
// the lexicon is no name.
func (g *tagger) allowed(t *span, c casing) (set uint64, known bool) {
	set, known = g.seen[t.hash]
	if !known {
		set = openTags
	}
	if c == uncased && !t.capital && t.flags&named == 0 && t.flags&(anyNoun|anyVerb|adjective|adverb) != 0 {
		if common := set &^ (1<<tagNNP | 1<<tagNNPS); common != 0 {
			set = common
		}
	}
	return set, known
}

// run tags ts.
func (g *tagger) run(ts []span) {
	c := casingOf(ts)
	var buf [tagFeatures]uint32
	one, two := tagPeriod, tagPeriod
	for i := range ts {
		t := &ts[i]
		set, known := g.allowed(t, c)
		switch {
		case t.kind == mark && !known || t.kind == address:
			t.tag = markTag(t)
		case len(ts) == 1 && t.flags&verbIng != 0 && (!known || set>>tagVBG&1 != 0):
			t.tag = tagVBG // a predicate on its own
		case known && set&(set-1) == 0:
			t.tag = only(set)
		default:
			var rf flags
			var next uint64
			if i+1 < len(ts) {
				rf, next = ts[i+1].flags, g.seen[ts[i+1].hash]
			}
			f := tagContext(ts, i, c, g.seen[t.hash], next, buf[:0])
			f = tagHistory(t, one, two, rf, f)
			t.tag = g.best(f, set)
		}
		one, two = t.tag, one
	}
}

func only(set uint64) tag {
	t := tag(0)
	for set > 1 {
		set >>= 1
		t++
	}
	return t
}

// best returns the tag of set with the highest score.
func (g *tagger) best(f []uint32, set uint64) tag {
	var starts [tagFeatures]uint64
	for i, h := range f {
		starts[i] = rowStart(h, len(g.weights.data), tagCount)
	}
	best, top := tag(0), int32(math.MinInt32)
	for ; set != 0; set &= set - 1 {
		t := bits.TrailingZeros64(set)
		column := g.weights.data[t:]
		var score int32
		for _, i := range starts[:len(f)] {
			score += int32(int8(column[i]))
		}
		if score > top {
			best, top = tag(t), score
		}
	}
	return best
}
