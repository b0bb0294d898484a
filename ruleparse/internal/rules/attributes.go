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

// isQualifier reports whether t is an adjective of kind, such as "wooden", or a word with a hyphen, which mostly is one
// before a noun.
func isQualifier(t *tokens.Token) bool {
	adjectival := t.Flags&tokens.Adjective != 0 && (t.Tag == penn.JJ || t.Tag == penn.JJS) || penn.IsNoun(t.Tag) && strings.Contains(t.Low, " - ")
	return adjectival && t.Kind == tokens.Letters && !t.IsOneOf(unqualifying) && !t.IsOneOf(quantityWords)
}

// isWornColour reports whether token i is a colour of "a woman in blue" or "a team in red, white and blue".
func isWornColour(ts []tokens.Token, i int) bool {
	from, _ := wornColours(ts, i)
	return from >= 0
}

// wornColours returns the "in" or "wearing" before the list of colours that includes token i, and the last of these
// colours. Both are -1 if there is none, or if the colours belong to a noun: "in blue and white striped pants".
func wornColours(ts []tokens.Token, i int) (from, last int) {
	if i < 2 || !ts[i].IsOneOf(colours) {
		return -1, -1
	}
	last = lastColour(ts, i)
	if tokens.AtOrBorder(ts, int32(last)+1).IsOneOf(colours) || namesGarment(ts, last+1) {
		return -1, -1
	}
	for k := i; k > 1 && lastColour(ts, k) == last; {
		from = colouredPhraseStart(ts, k-1)
		if ts[from].IsOneOf(shades) {
			from--
		}
		if from > 0 && ts[from].IsOneOf(wearing) {
			return from, last
		}
		before := k - 1
		for before > k-3 && before > 0 && ts[before].IsOneOf(" and , ") {
			before--
		}
		if before == k-1 || !ts[before].IsOneOf(colours) {
			break
		}
		k = before
	}
	return -1, -1
}

// colouredPhraseStart returns the token before a phrase such as "hues of" that ends at token i, with its article and
// adjectives, if it is followed by colours that somebody wears or a thing is painted in: "a wall painted *in* vibrant
// hues of red". Otherwise it returns i.
func colouredPhraseStart(ts []tokens.Token, i int) int {
	if i < 3 || ts[i].Low != "of" || !ts[i-1].IsOneOf(hues) {
		return i
	}
	k := i - 2
	for k > 1 && (ts[k].Tag == penn.JJ || ts[k].Tag == penn.DT) {
		k--
	}
	if ts[k].IsOneOf(wearing) && (ts[k-1].IsOneOf(dyed) || ts[k-1].IsAlive()) {
		return k
	}
	return i
}

// isWornHue reports whether node n is a noun such as "hues" in "painted in vibrant hues of red and white".
func isWornHue(ts []tokens.Token, n *analysis.Node) bool {
	to := int(n.To)
	return to+1 < len(ts) && ts[to].Low == "of" && colouredPhraseStart(ts, to) < to && isWornColour(ts, to+1)
}

// lastColour returns the last colour of the list that continues after the colour at token i and ends with "and", or i
// if there is no list: "in blue and white".
func lastColour(ts []tokens.Token, i int) int {
	next := func(k int) *tokens.Token { return tokens.AtOrBorder(ts, int32(k)) }
	for k := i; k < i+2*maxColours; k += 2 {
		switch {
		case next(k+1).Low == "and" && next(k+2).IsOneOf(colours):
			return k + 2
		case next(k+1).Tag != penn.Comma:
			return i
		case next(k+2).Low == "and" && next(k+3).IsOneOf(colours):
			return k + 3
		case !next(k + 2).IsOneOf(colours):
			return i
		}
	}
	return i
}

// maxColours is the most colours of a list.
const maxColours = 6

// namesGarment reports whether a noun, perhaps after adjectives, follows from token i on: "in white striped pants", "on
// white background".
func namesGarment(ts []tokens.Token, i int) bool {
	from := i
	for ; i < len(ts); i++ {
		switch t := &ts[i]; {
		case t.Tag == penn.NNS && t.Flags&tokens.VerbS != 0 && isDeterminer(tokens.AtOrBorder(ts, int32(i)+1)):
			return false // "holds" is a verb: "in red, white and blue holds a flag"
		case penn.IsNoun(t.Tag) && t.Flags&tokens.VerbIng == 0:
			return true
		case i+1 < len(ts) && t.Flags&tokens.VerbIng != 0 && ts[i+1].IsOneOf(" boots jacket pants shorts suit "):
			return true // a garment after a participle: "jogging pants"
		case t.Tag != penn.JJ && t.Tag != penn.VBN:
			return false
		}
	}
	return i > from // "wearing black shorts" with typing errors
}

// addWornColours adds "in yellow", "wearing blue" or "dressed in red and white" to the object before it, as an
// attribute that replaces the model's attributes of the same words.
func (b *graphBuilder) addWornColours() {
	for i := range b.ts {
		from, last := wornColours(b.ts, i)
		if last != i {
			continue
		}
		worn := !b.ts[from-1].IsOneOf(dyed)
		if !worn {
			from--
		}
		to := int32(from)
		for to > 0 && (b.ts[to-1].IsBe || isRelativePronoun(&b.ts[to-1])) {
			to--
		}
		k := slices.IndexFunc(b.x.Nodes, func(n analysis.Node) bool { return n.To == to })
		if k < 0 || b.objectOf[k] < 0 || worn && !b.x.Nodes[k].IsAlive { // not the hat: "a man with a hat wearing red"
			continue
		}
		o := &b.graph.Objects[b.objectOf[k]]
		a := schemas.Attribute{Text: phraseText(b.low, b.ts, int32(from), int32(i)+1), Form: schemas.Post, Begin: b.ts[from].Begin, End: b.ts[i].End}
		o.Attributes = slices.DeleteFunc(o.Attributes, func(had schemas.Attribute) bool { return had.Begin < a.End && had.End > a.Begin })
		insertAttribute(o, a)
	}
}

// IsQuantity reports whether tokens [from, to) are a quantity of objects.
func IsQuantity(ts []tokens.Token, from, to int32) bool {
	first := &ts[from]
	switch to - from {
	case 1:
		return isCount(first) && (from == 0 || !continuesName(&ts[from-1], first)) && !isMeasure(ts, from) || first.IsOneOf(quantityWords) && !(first.Low == "couple" && ts[to].Low == "of")
	case 2:
		return ts[to-1].Low == "of" && first.IsOneOf(quantityNouns)
	}
	return false
}

// isCount reports whether t is a number of things, not a year, "0.95" or "04".
func isCount(t *tokens.Token) bool {
	if t.Kind != tokens.Digits {
		return t.Tag == penn.CD && t.Kind != tokens.Mark
	}
	return t.Tag == penn.CD && !isYear(t) && t.Low[0] != '0' && !strings.Contains(t.Low, ".")
}

// isYear reports whether t is a number from 1800 to 2099.
func isYear(t *tokens.Token) bool {
	return t.Kind == tokens.Digits && len(t.Low) == 4 && (t.Low[:2] == "18" || t.Low[:2] == "19" || t.Low[:2] == "20")
}

// isMeasure reports whether a number with a unit begins at token i. "One foot" is a count.
func isMeasure(ts []tokens.Token, i int32) bool {
	if int(i)+1 >= len(ts) || ts[i].Tag != penn.CD || ts[i].Low == "one" || ts[i].Low == "1" {
		return false
	}
	if !ts[i+1].IsOneOf(units) {
		return ts[i+1].IsOneOf(lengths)
	}
	for i++; int(i)+1 < len(ts) && (penn.IsNoun(ts[i+1].Tag) || ts[i+1].Tag == penn.JJ); i++ {
	}
	return ts[i].Flags&tokens.NounPlural == 0
}

// continuesName reports whether a number belongs to a name with the token before it, l ("iphone 7 case", "27 x 40
// poster", "Season Two"), or is a name ("a 787 airplane"). It is false for "a keyboard two laptops".
func continuesName(l, number *tokens.Token) bool {
	return penn.IsNoun(l.Tag) && (number.Kind == tokens.Digits || number.Capital) || number.Kind == tokens.Digits && l.IsOneOf(" a an ") || l.IsOneOf(" / x × ")
}

// canBePlural reports whether t, the last word of an object's name, can name several things.
func canBePlural(t *tokens.Token) bool {
	return t.Flags&tokens.NounPlural != 0 || penn.IsNoun(t.Tag) && t.Tag != penn.NN && t.Tag != penn.NNP || t.IsAlive()
}

// quantityBefore returns the tokens of the quantity of object o that ends before token at or before an article there:
// "two", "a large group of", "a couple of (the)", "half a". They are empty if there is none.
func (x *Reading) quantityBefore(ts []tokens.Token, o int, at int32) (from, to int32) {
	if half := x.halfStart(ts, at-1); half >= 0 {
		return half, at
	}
	if some := x.someStart(ts, at-1); some >= 0 {
		return some, at
	}
	i := at - 1
	if i > 0 && ts[i].Tag == penn.DT && ts[i-1].Low == "of" {
		i--
	}
	if j := portionStart(ts, i); j < i {
		if from, to = x.quantityBefore(ts, o, j+1); from < to && ts[to-1].Tag != penn.CD {
			return from, to
		}
	}
	to = i + 1
	switch {
	case i >= 1 && ts[i].Low == "of" && x.isCounter(ts, o, i-1):
		from = withArticle(ts, i-1)
		if from == i-1 && from > 1 && ts[from-1].Low == "of" && ts[from-2].IsOneOf(quantityNouns) {
			from = withArticle(ts, from-2) // two counters: "a couple of slices of"
		}
		return from, to
	case i >= 0 && ts[i].Tag == penn.CD && (i > 0 && continuesName(&ts[i-1], &ts[i]) || isMeasure(ts, i)):
		return to, to
	case i >= 0 && !x.InNode[i] && (isCount(&ts[i]) || ts[i].IsOneOf(quantityWords)):
		return withIndefinite(ts, i), to
	}
	return to, to
}

// portionStart returns the token before a phrase such as "different kinds of" that ends at token i: "several *different
// kinds of* flowers". It returns i if there is none.
func portionStart(ts []tokens.Token, i int32) int32 {
	if i < 1 || ts[i].Low != "of" || !ts[i-1].IsOneOf(" kinds sorts types varieties ") {
		return i
	}
	j := i - 2
	for j >= 0 && ts[j].Tag == penn.JJ && !ts[j].IsOneOf(quantityWords) {
		j--
	}
	return j
}

// halfStart returns the first token of "half a" or "half of a" if its article is token i, else -1.
func (x *Reading) halfStart(ts []tokens.Token, i int32) int32 {
	if i < 1 || !ts[i].IsOneOf(" a an the ") {
		return -1
	}
	if i--; ts[i].Low == "of" && i > 0 {
		i--
	}
	if ts[i].Low != "half" || x.InNode[i] || i > 0 && (ts[i-1].Tag == penn.JJ || ts[i-1].Low == "than") {
		return -1 // "half" is a noun or has a comparison: "the second half of a game", "less than half of a cake"
	}
	return i
}

// someStart returns the first token of a phrase such as "one of the" whose determiner is token i, or -1. A statement
// about some is no statement about all: "one of the dogs holds a ball".
func (x *Reading) someStart(ts []tokens.Token, i int32) int32 {
	if i < 2 || ts[i-1].Low != "of" || !isDeterminer(&ts[i]) {
		return -1
	}
	k := i - 2
	if m := x.nodeAt(k); m >= 0 && !x.Nodes[m].IsAttribute || !ts[k].IsOneOf(" each few many most several some ") && !isCount(&ts[k]) {
		return -1
	}
	return withIndefinite(ts, k)
}

// countedStart returns the first token that a quantity of object i may precede: the begin of its attributes, or of the
// object. Conjunctions and adjectives that the model left out are included: "a herd of black and white cows", "many
// different tools".
func (x *Reading) countedStart(ts []tokens.Token, i int) int32 {
	begin := x.PhraseStart(i)
	for at := begin; at > 1 && at > begin-maxQuantityDistance; at-- {
		switch l := &ts[at-1]; {
		case l.Low == "of" && x.isCounter(ts, i, at-2), l.IsOneOf(quantityWords):
			return at
		case l.Tag != penn.JJ && l.Tag != penn.JJR && l.Tag != penn.CC && l.Tag != penn.Comma:
			return begin
		}
	}
	return begin
}

// maxQuantityDistance is the most tokens between a quantity and the attributes of its object.
const maxQuantityDistance = 6

// isCounter reports whether token k, before "of" and object i, is a noun of quantity: "herd".
func (x *Reading) isCounter(ts []tokens.Token, i int, k int32) bool {
	noun := ts[k].Low
	if wordclass.Has(quantityNouns, noun) {
		return true
	}
	if wordclass.Has(partitives, noun) {
		m := x.nodeAt(k)
		return m < 0 || x.Nodes[m].IsAttribute || !x.hasEdge(m, i) // otherwise "three chunks" is an object
	}
	if set := wordclass.Has(sets, noun); !set && !wordclass.Has(heaps, noun) || x.modifiesNext(ts, i) ||
		set && (ts[x.Nodes[i].To-1].Flags&tokens.NounPlural == 0 || k > 0 && ts[k-1].Low == "the") {
		return false
	}
	for j := i - 1; j >= 0 && x.Nodes[j].To > k; j-- {
		if x.Nodes[j].From <= k {
			return x.Nodes[j].IsAttribute
		}
	}
	return true
}

// hasEdge reports whether a relation leads from node a to node b.
func (x *Reading) hasEdge(a, b int) bool {
	return slices.ContainsFunc(x.edgesInto(b), func(e analysis.Relation) bool { return int(e.A) == a })
}

// withIndefinite returns the article before token i, in "a few" and "a couple people", or i.
func withIndefinite(ts []tokens.Token, i int32) int32 {
	if i > 0 && ts[i].IsOneOf(" couple few ") && ts[i-1].Low == "a" {
		return i - 1
	}
	return i
}

// withArticle returns the first token of the adjective, article or number before token i, or i: "a large group of",
// "two pairs of", "small group of".
func withArticle(ts []tokens.Token, i int32) int32 {
	j := i
	if j >= 1 && ts[j-1].Tag == penn.JJ && !ts[j-1].IsOneOf(quantityWords) {
		j--
	}
	switch {
	case j >= 1 && (ts[j-1].Tag == penn.DT || isCount(&ts[j-1]) || ts[j-1].IsOneOf(quantityWords)):
		return j - 1
	case ts[j].IsOneOf(" big huge large massive small tiny "):
		return j
	}
	return i
}

// addQuantities adds quantities that the model left out. Adjectives within a quantity are removed from the object's
// attributes: "a small herd of sheep".
func (b *graphBuilder) addQuantities() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.objectOf, b.graph
	for i := range x.Nodes {
		n := &x.Nodes[i]
		if at[i] < 0 || ts[n.From].Tag == penn.PRP {
			continue
		}
		o := &g.Objects[at[i]]
		if isCountOfOther(ts, nil, n, o) {
			continue
		}
		begin := x.countedStart(ts, i)
		if o.Quantity == "" || begin > 1 && ts[begin-1].Low == "of" && ts[begin-2].IsOneOf(partitives) || x.someStart(ts, begin-1) >= 0 {
			if from, to := x.quantityBefore(ts, i, begin); from < to {
				o.Quantity = phraseText(low, ts, from, to)
			}
		}
		if o.Quantity != "" && strings.Trim(o.Quantity, "0123456789") == "" && o.Quantity != "1" && !canBePlural(&ts[n.To-1]) {
			o.Quantity = "" // no count: "39 Main Road", "skirt purple 322206"
		}
		if strings.HasSuffix(o.Quantity, " of") && !strings.HasSuffix(o.Quantity, "pair of") {
			o.Attributes = slices.DeleteFunc(o.Attributes, func(a schemas.Attribute) bool {
				return a.Form == schemas.Pre && slices.Contains(strings.Fields(o.Quantity), a.Text)
			})
		}
	}
}
