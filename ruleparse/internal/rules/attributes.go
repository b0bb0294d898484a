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

// wornColour reports whether token i is the colour of "a woman in blue".
func wornColour(ts []tokens.Token, i int) bool {
	return i > 1 && wornFrom(ts, i) >= 0 && ts[i].In(colours) && !tokens.At(ts, int32(i)+1).In(colours) && !garment(ts, i+1)
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

// dress adds "in blue" to the object that stands before it.
func (b *building) dress() {
	next := 0
	for i := range b.ts {
		if !wornColour(b.ts, i) {
			continue
		}
		from := int32(wornFrom(b.ts, i))
		to := saidOf(b.ts, from)
		for next < len(b.x.Nodes) && b.x.Nodes[next].To <= to {
			next++
		}
		if next == 0 || b.x.Nodes[next-1].To != to || b.at[next-1] < 0 {
			continue
		}
		insertAttribute(&b.g.Objects[b.at[next-1]], schemas.Attribute{
			Text: phrase(b.low, b.ts, from, int32(i)+1), Form: schemas.Post, Begin: b.ts[from].Begin, End: b.ts[i].End,
		})
	}
}

// IsQuantity reports whether tokens from up to to say a number of objects.
func IsQuantity(ts []tokens.Token, from, to int32) bool {
	first := &ts[from]
	switch to - from {
	case 1:
		return numbers(first) && (from == 0 || !continues(&ts[from-1], first)) && !measures(ts, from) || first.In(quantityWords) && !(first.Low == "couple" && ts[to].Low == "of")
	case 2:
		return ts[to-1].Low == "of" && first.In(quantityNouns)
	}
	return false
}

// numbers reports whether t is a number that counts: no year, no "0.95", no "04".
func numbers(t *tokens.Token) bool {
	if t.Kind != tokens.Digits {
		return t.Tag == penn.CD && t.Kind != tokens.Mark
	}
	year := len(t.Low) == 4 && (t.Low[:2] == "18" || t.Low[:2] == "19" || t.Low[:2] == "20")
	return t.Tag == penn.CD && !year && t.Low[0] != '0' && !strings.Contains(t.Low, ".")
}

// measures reports whether a number of a unit stands at token i. "One foot" is one.
func measures(ts []tokens.Token, i int32) bool {
	if int(i)+1 >= len(ts) || ts[i].Tag != penn.CD || ts[i].Low == "one" || ts[i].Low == "1" {
		return false
	}
	if !ts[i+1].In(units) {
		return ts[i+1].In(lengths)
	}
	for i++; int(i)+1 < len(ts) && (penn.IsNoun(ts[i+1].Tag) || ts[i+1].Tag == penn.JJ); i++ {
	}
	return ts[i].Flags&tokens.NounPlural == 0
}

// continues reports whether a number belongs to the token before it: "iphone 7 case", "27 x
// 40 poster", "Season Two", or names a thing: "a 787 airplane"; not "a keyboard two laptops".
func continues(l, number *tokens.Token) bool {
	return penn.IsNoun(l.Tag) && (number.Kind == tokens.Digits || number.Capital) || number.Kind == tokens.Digits && l.In(" a an ") || l.In(" / x × ")
}

// several reports whether t, the last word of an object's name, can name more than one.
func several(t *tokens.Token) bool {
	return t.Flags&tokens.NounPlural != 0 || penn.IsNoun(t.Tag) && t.Tag != penn.NN && t.Tag != penn.NNP || t.Alive()
}

// quantityBefore finds the quantity of object o that ends before token at, or before the article
// there that is the object's: "two", "a large group of", "a couple of (the)", "half a". It is empty
// where there is none.
func (x *Reading) quantityBefore(ts []tokens.Token, o int, at int32) (from, to int32) {
	if half := x.half(ts, at-1); half >= 0 {
		return half, at
	}
	i := at - 1
	if i > 0 && ts[i].Tag == penn.DT && ts[i-1].Low == "of" {
		i--
	}
	if j := helping(ts, i); j < i {
		if from, to = x.quantityBefore(ts, o, j+1); from < to && (portioned(&ts[i-1]) || ts[to-1].Tag != penn.CD) {
			return from, to
		}
	}
	to = i + 1
	switch {
	case i >= 1 && ts[i].Low == "of" && x.counts(ts, o, i-1):
		return withArticle(ts, i-1), to
	case i >= 0 && ts[i].Tag == penn.CD && (i > 0 && continues(&ts[i-1], &ts[i]) || measures(ts, i)):
		return to, to
	case i >= 0 && !x.InNode[i] && (numbers(&ts[i]) || ts[i].In(quantityWords)):
		return withA(ts, i), to
	}
	return to, to
}

// helping is the token before the words, with their adjectives, that end with "of" at token i and
// say in what the thing after it comes: "several *large slices of* cake". It is i where there are none.
func helping(ts []tokens.Token, i int32) int32 {
	if i < 1 || ts[i].Low != "of" || !portioned(&ts[i-1]) && !ts[i-1].In(" kinds sorts types varieties ") {
		return i
	}
	j := i - 2
	for j >= 0 && ts[j].Tag == penn.JJ && !ts[j].In(quantityWords) {
		j--
	}
	return j
}

// portioned reports whether t is a noun of parts that are counted as the thing is.
func portioned(t *tokens.Token) bool { return t.In(" bits chunks pieces slices ") }

// half is where "half a" or "half of a" begins that ends with the article at token i, or -1.
func (x *Reading) half(ts []tokens.Token, i int32) int32 {
	if i < 1 || !ts[i].In(" a an the ") {
		return -1
	}
	if i--; ts[i].Low == "of" && i > 0 {
		i--
	}
	if ts[i].Low != "half" || x.InNode[i] || i > 0 && (ts[i-1].Tag == penn.JJ || ts[i-1].Low == "than") {
		return -1 // "the second half of a game", "less than half of a cake"
	}
	return i
}

// counted is where the attributes of object i begin before which a quantity may stand, or the
// object itself, with what joins them and with adjectives that the model leaves out: "a herd
// of black and white cows", "many different tools".
func (x *Reading) counted(ts []tokens.Token, i int) int32 {
	begin := x.Begins(i)
	for at := begin; at > 1 && at > begin-maxQualities; at-- {
		switch l := &ts[at-1]; {
		case l.Low == "of" && x.counts(ts, i, at-2), l.In(quantityWords):
			return at
		case l.Tag != penn.JJ && l.Tag != penn.JJR && l.Tag != penn.CC && l.Tag != penn.Comma:
			return begin
		}
	}
	return begin
}

// maxQualities is how many tokens back of an object's attributes its quantity may stand.
const maxQualities = 6

// counts reports whether token k, before "of" and object i, is a noun that counts it.
func (x *Reading) counts(ts []tokens.Token, i int, k int32) bool {
	noun := ts[k].Low
	if wordclass.Has(quantityNouns, noun) || wordclass.Has(partitives, noun) {
		return true
	}
	if set := wordclass.Has(sets, noun); !set && !wordclass.Has(heaps, noun) || x.leadsOn(ts, i) ||
		set && (ts[x.Nodes[i].To-1].Flags&tokens.NounPlural == 0 || k > 0 && ts[k-1].Low == "the") {
		return false
	}
	for j := i - 1; j >= 0 && x.Nodes[j].To > k; j-- {
		if x.Nodes[j].From <= k {
			return x.Nodes[j].Attribute
		}
	}
	return true
}

// withA moves back over the article of "a few" and "a couple people".
func withA(ts []tokens.Token, i int32) int32 {
	if i > 0 && ts[i].In(" couple few ") && ts[i-1].Low == "a" {
		return i - 1
	}
	return i
}

// withArticle moves back over an adjective and an article or a number: "a large group of",
// "two pairs of", "small group of".
func withArticle(ts []tokens.Token, i int32) int32 {
	j := i
	if j >= 1 && ts[j-1].Tag == penn.JJ && !ts[j-1].In(quantityWords) {
		j--
	}
	switch {
	case j >= 1 && (ts[j-1].Tag == penn.DT || numbers(&ts[j-1]) || ts[j-1].In(quantityWords)):
		return j - 1
	case ts[j].In(" big huge large massive small tiny "):
		return j
	}
	return i
}

// quantify finds quantities that the model left out. What it says of the quantity is
// no attribute of the object: "a small herd of sheep".
func (b *building) quantify() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.Nodes {
		n := &x.Nodes[i]
		if at[i] < 0 || ts[n.From].Tag == penn.PRP {
			continue
		}
		o := &g.Objects[at[i]]
		if begin := x.counted(ts, i); o.Quantity == "" {
			if from, to := x.quantityBefore(ts, i, begin); from < to {
				o.Quantity = phrase(low, ts, from, to)
			}
		}
		if o.Quantity != "" && strings.Trim(o.Quantity, "0123456789") == "" && o.Quantity != "1" && !several(&ts[n.To-1]) {
			o.Quantity = "" // "39 Main Road", "skirt purple 322206"
		}
		if strings.HasSuffix(o.Quantity, " of") && !strings.HasSuffix(o.Quantity, "pair of") {
			o.Attributes = slices.DeleteFunc(o.Attributes, func(a schemas.Attribute) bool {
				return a.Form == schemas.Pre && slices.Contains(strings.Fields(o.Quantity), a.Text)
			})
		}
	}
}
