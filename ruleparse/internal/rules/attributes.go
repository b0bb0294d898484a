package rules

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// attributive adds the adjectives, the names and the nouns before an object that the model
// left out, names of several words as one: "a Van Gogh museum", "San Francisco skyline".
func (b *building) attributive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.Nodes {
		if at[i] < 0 || x.Nodes[i].Attribute {
			continue
		}
		j := x.Nodes[i].From
		for k := i - 1; k >= 0 && x.Nodes[k].Attribute && x.Nodes[k].To == j && !IsQuantity(ts, x.Nodes[k].From, j); k-- {
			j = x.Nodes[k].From
		}
		for j > 0 && !x.InNode[j-1] {
			to := j
			if qualifies(&ts[j-1]) {
				j--
			} else if j = x.name(ts, i, j); j == to {
				if j = x.classifier(ts, i, j); j == to {
					break
				}
			}
			insertAttribute(&g.Objects[at[i]], schemas.Attribute{Text: phrase(low, ts, j, to), Form: schemas.Pre, Begin: ts[j].Begin, End: ts[to-1].End})
		}
	}
}

// name is where the name begins that ends before token to, or to where none does. A word
// of a predicate of object k is no part of it.
func (x *Reading) name(ts []tokens.Token, k int, to int32) int32 {
	from := to
	for from > 0 && !x.InNode[from-1] && names(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// names reports whether token i is a word of a name. A word that begins a sentence has a
// capital anyway and may be mistyped: "Tow cats".
func names(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	mistyped := i == 0 && !t.Capitals && len(ts) > 1 && !ts[1].Capital && (t.Entry < 0 || t.In(" te thee tow "))
	return t.Capital && !mistyped && !coded(t.Low) && penn.IsNoun(t.Tag) && len(t.Low) > 1 && !t.In(drawn) && !hollow(t.Low)
}

// hollow reports whether a word says nothing of a thing beside it, but where it is sold or
// how many there are.
func hollow(w string) bool {
	return wordclass.Has(boilerplate, w) || wordclass.Has(unspecific, w) || wordclass.Has(quantityNouns, w) || wordclass.Has(quantityWords, w)
}

// classifier is where the nouns begin that end before token to and say what kind of thing
// object k is, or to: "a sippy cup", "a green exit sign", "seven business people".
func (x *Reading) classifier(ts []tokens.Token, k int, to int32) int32 {
	from := to
	for from > 0 && !x.InNode[from-1] && penn.IsNoun(ts[from].Tag) && classifies(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// classifies reports whether token i can be a noun before another that says what kind. A word
// that nobody knows may be two ("of thebad girl"), one in "-ing" a verb and another say nothing
// without the word before it ("in orange color balloons") unless the phrase begins with it.
func classifies(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	if t.Tag != penn.NN && t.Tag != penn.NNP || t.Kind != tokens.Letters || len(t.Low) == 1 || t.Measure || coded(t.Low) {
		return false
	}
	if t.In(unclassifying) || t.In(anybody) || t.In(media) || t.In(stockOf) || hollow(t.Low) {
		return false
	}
	unknown := t.Flags == 0 && (!t.Capital || i == 0)
	doubtful := t.Flags&tokens.VerbIng != 0 || t.In(neverFirst)
	if i == 0 {
		return !unknown && !doubtful
	}
	l := &ts[i-1]
	return !unknown && !doubtful || determines(l) || unknown && l.Tag == penn.JJ || doubtful && l.Tag == penn.IN
}

// relates reports whether token i is a word of a predicate of object k with one
// before it.
func (x *Reading) relates(k int, i int32) bool {
	return slices.ContainsFunc(x.edgesOf(k), func(e analysis.Relation) bool { return slices.Contains(e.Candidate.Words[:e.Candidate.N], i) })
}

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *tokens.Token) bool {
	adjectival := t.Flags&tokens.Adjective != 0 && (t.Tag == penn.JJ || t.Tag == penn.JJS) || penn.IsNoun(t.Tag) && strings.Contains(t.Low, " - ")
	return adjectival && t.Kind == tokens.Letters && !t.In(unqualifying) && !t.In(quantityWords)
}

// wornColour reports whether token i is the colour of "a woman in blue", or the second of "in blue
// and white".
func wornColour(ts []tokens.Token, i int) bool {
	return firstWorn(ts, i) || secondWorn(ts, i)
}

// secondWorn reports whether token i is a colour that is worn with the one before a conjunction.
func secondWorn(ts []tokens.Token, i int) bool {
	return i > 3 && ts[i-1].Tag == penn.CC && ts[i].In(colours) && firstWorn(ts, i-2)
}

// firstWorn reports whether token i is the first colour that is worn.
func firstWorn(ts []tokens.Token, i int) bool {
	if i < 2 || wornFrom(ts, i) < 0 || !ts[i].In(colours) {
		return false
	}
	return (i+1 == len(ts) || !ts[i+1].In(colours)) && !garment(ts, i+1)
}

// garment reports whether a noun is named from token i on, perhaps after another
// colour and adjectives: "in blue and white striped pants", "on white background".
func garment(ts []tokens.Token, i int) bool {
	if i+1 < len(ts) && ts[i].Tag == penn.CC && ts[i+1].In(colours) {
		i += 2
	}
	from := i
	for ; i < len(ts); i++ {
		switch t := &ts[i]; {
		case penn.IsNoun(t.Tag) && t.Flags&tokens.VerbIng == 0:
			return true
		case i+1 < len(ts) && t.Flags&tokens.VerbIng != 0 && ts[i+1].In(" boots jacket pants shorts suit "):
			return true // "jogging pants"
		case t.Tag != penn.JJ && t.Tag != penn.VBN:
			return false
		}
	}
	return i > from // "wearing black shorts" mistyped
}

// wornFrom is the "in" or "wearing" before the colour at token i, or -1.
func wornFrom(ts []tokens.Token, i int) int {
	from := i - 1
	if ts[from].In(shades) {
		from--
	}
	if from < 1 || !ts[from].In(wearing) {
		return -1
	}
	return from
}

// saidOf is where what is dressed in a colour ends, of which "in" is token i: "a room that
// is painted in blue", "a man is in blue".
func saidOf(ts []tokens.Token, i int32) int32 {
	if i > 0 && ts[i-1].In(dyed) {
		i--
	}
	for ; i > 0 && (ts[i-1].Be || relates(&ts[i-1])); i-- {
	}
	return i
}

// dress adds "in blue" to the object that stands before it, and "white" where that follows.
func (b *building) dress() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	owner := int32(-1)
	for i, next := 0, 0; i < len(ts); i++ {
		if owner >= 0 && secondWorn(ts, i) {
			insertAttribute(&g.Objects[owner], schemas.Attribute{Text: ts[i].Low, Form: schemas.Post, Begin: ts[i].Begin, End: ts[i].End})
			continue
		}
		if !firstWorn(ts, i) {
			continue
		}
		owner = -1
		from := int32(wornFrom(ts, i))
		to := saidOf(ts, from)
		for next < len(x.Nodes) && x.Nodes[next].To <= to {
			next++
		}
		if next == 0 || x.Nodes[next-1].To != to || at[next-1] < 0 {
			continue
		}
		owner = at[next-1]
		insertAttribute(&g.Objects[owner], schemas.Attribute{
			Text: phrase(low, ts, from, int32(i)+1), Form: schemas.Post, Begin: ts[from].Begin, End: ts[i].End,
		})
	}
}
