package ruleparse

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

func oneOf(list, w string) bool {
	i := strings.Index(list, w)
	for i >= 0 {
		if i > 0 && list[i-1] == ' ' && list[i+len(w)] == ' ' {
			return true
		}
		next := strings.Index(list[i+1:], w)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// isQuantity reports whether tokens from up to to say a number of objects.
func isQuantity(ts []span, from, to int32) bool {
	first := &ts[from]
	switch to - from {
	case 1:
		return numbers(first) && (from == 0 || !continues(&ts[from-1], first)) && !measures(ts, from) || oneOf(quantityWords, first.low) && !(first.low == "couple" && ts[to].low == "of")
	case 2:
		return ts[to-1].low == "of" && oneOf(quantityNouns, first.low)
	}
	return false
}

// numbers reports whether t is a number that counts: no year, no "0.95", no "04".
func numbers(t *span) bool {
	if t.kind != digits {
		return t.tag == tagCD && t.kind != mark
	}
	year := len(t.low) == 4 && (t.low[:2] == "18" || t.low[:2] == "19" || t.low[:2] == "20")
	return t.tag == tagCD && !year && t.low[0] != '0' && !strings.Contains(t.low, ".")
}

// measures reports whether a number of a unit stands at token i. "One foot" is one.
func measures(ts []span, i int32) bool {
	if int(i)+1 >= len(ts) || ts[i].tag != tagCD || ts[i].low == "one" || ts[i].low == "1" {
		return false
	}
	if !oneOf(units, ts[i+1].low) {
		return oneOf(lengths, ts[i+1].low)
	}
	for i++; int(i)+1 < len(ts) && (isNoun(ts[i+1].tag) || ts[i+1].tag == tagJJ); i++ {
	}
	return ts[i].flags&nounPlural == 0
}

// measured is the attribute of l with its number or its unit, where it is one of both: "a two
// lane road", "a 360 degree view"; empty for a unit of which the number says it.
func (x *analysis) measured(ts []span, l link) (from, to int32) {
	n := &x.nodes[l.attribute]
	switch {
	case n.to-n.from == 1 && measures(ts, n.from) && n.to < x.nodes[l.object].from:
		return n.from, n.to + 1
	case n.from == 0 || !measures(ts, n.from-1):
		return n.from, n.to
	}
	return n.from - 1, n.to
}

// continues reports whether a number belongs to the token before it: "iphone 7 case", "27 x
// 40 poster", "Season Two", or names a thing: "a 787 airplane"; not "a keyboard two laptops".
func continues(l, number *span) bool {
	return isNoun(l.tag) && (number.kind == digits || number.capital) || number.kind == digits && oneOf(" a an ", l.low) || oneOf(" / x × ", l.low)
}

// several reports whether t, the last word of an object's name, can name more than one.
func several(t *span) bool {
	return t.flags&nounPlural != 0 || isNoun(t.tag) && t.tag != tagNN && t.tag != tagNNP || t.alive()
}

// plural is what a quantity before object i counts: object i, or the one right after it that is
// several where it is one itself: "two cake plates".
func (x *analysis) plural(ts []span, i int32) int32 {
	if next := i + 1; int(next) < len(x.nodes) && !x.nodes[next].attribute && x.nodes[next].from == x.nodes[i].to &&
		!several(&ts[x.nodes[i].to-1]) && several(&ts[x.nodes[next].to-1]) {
		return next
	}
	return i
}

// quantityBefore finds the quantity of object o that ends before token at, or before the article
// there that is the object's: "two", "a large group of", "a couple of (the)", "half a". It is empty
// where there is none.
func (x *analysis) quantityBefore(ts []span, o int, at int32) (from, to int32) {
	if half := x.half(ts, at-1); half >= 0 {
		return half, at
	}
	i := at - 1
	if i > 0 && ts[i].tag == tagDT && ts[i-1].low == "of" {
		i--
	}
	if j := helping(ts, i); j < i {
		if from, to = x.quantityBefore(ts, o, j+1); from < to && (portioned(&ts[i-1]) || ts[to-1].tag != tagCD) {
			return from, to
		}
	}
	to = i + 1
	switch {
	case i >= 1 && ts[i].low == "of" && x.counts(ts, o, i-1):
		return withArticle(ts, i-1), to
	case i >= 0 && ts[i].tag == tagCD && (i > 0 && continues(&ts[i-1], &ts[i]) || measures(ts, i)):
		return to, to
	case i >= 0 && !x.inNode[i] && (numbers(&ts[i]) || oneOf(quantityWords, ts[i].low)):
		return withA(ts, i), to
	}
	return to, to
}

// helping is the token before the words, with their adjectives, that end with "of" at token i and
// say in what the thing after it comes: "several *large slices of* cake". It is i where there are none.
func helping(ts []span, i int32) int32 {
	if i < 1 || ts[i].low != "of" || !portioned(&ts[i-1]) && !oneOf(" kinds sorts types varieties ", ts[i-1].low) {
		return i
	}
	j := i - 2
	for j >= 0 && ts[j].tag == tagJJ && !oneOf(quantityWords, ts[j].low) {
		j--
	}
	return j
}

// portioned reports whether t is a noun of parts that are counted as the thing is.
func portioned(t *span) bool { return oneOf(" bits chunks pieces slices ", t.low) }

// half is where "half a" or "half of a" begins that ends with the article at token i, or -1.
func (x *analysis) half(ts []span, i int32) int32 {
	if i < 1 || !oneOf(" a an the ", ts[i].low) {
		return -1
	}
	if i--; ts[i].low == "of" && i > 0 {
		i--
	}
	if ts[i].low != "half" || x.inNode[i] || i > 0 && (ts[i-1].tag == tagJJ || ts[i-1].low == "than") {
		return -1 // "the second half of a game", "less than half of a cake"
	}
	return i
}

// counted is where the attributes of object i begin before which a quantity may stand, or the
// object itself, with what joins them and with adjectives that the model leaves out: "a herd
// of black and white cows", "many different tools".
func (x *analysis) counted(ts []span, i int) int32 {
	begin := x.begins(i)
	for at := begin; at > 1 && at > begin-maxQualities; at-- {
		switch l := &ts[at-1]; {
		case l.low == "of" && x.counts(ts, i, at-2), oneOf(quantityWords, l.low):
			return at
		case l.tag != tagJJ && l.tag != tagJJR && l.tag != tagCC && l.tag != tagComma:
			return begin
		}
	}
	return begin
}

// maxQualities is how many tokens back of an object's attributes its quantity may stand.
const maxQualities = 6

// counts reports whether token k, before "of" and object i, is a noun that counts it.
func (x *analysis) counts(ts []span, i int, k int32) bool {
	noun := ts[k].low
	if oneOf(quantityNouns, noun) || oneOf(partitives, noun) {
		return true
	}
	if set := oneOf(sets, noun); !set && !oneOf(heaps, noun) || x.leadsOn(ts, i) ||
		set && (ts[x.nodes[i].to-1].flags&nounPlural == 0 || k > 0 && ts[k-1].low == "the") {
		return false
	}
	for j := i - 1; j >= 0 && x.nodes[j].to > k; j-- {
		if x.nodes[j].from <= k {
			return x.nodes[j].attribute
		}
	}
	return true
}

// heaped reports whether a quantity is a heap or a set, which FACTUAL's form does not have.
func heaped(quantity string) bool {
	noun, of := strings.CutSuffix(quantity, " of")
	noun = noun[strings.LastIndexByte(noun, ' ')+1:]
	return of && (oneOf(heaps, noun) || oneOf(sets, noun))
}

// withA moves back over the article of "a few" and "a couple people".
func withA(ts []span, i int32) int32 {
	if i > 0 && oneOf(" couple few ", ts[i].low) && ts[i-1].low == "a" {
		return i - 1
	}
	return i
}

// withArticle moves back over an adjective and an article or a number: "a large group of",
// "two pairs of", "small group of".
func withArticle(ts []span, i int32) int32 {
	j := i
	if j >= 1 && ts[j-1].tag == tagJJ && !oneOf(quantityWords, ts[j-1].low) {
		j--
	}
	switch {
	case j >= 1 && (ts[j-1].tag == tagDT || numbers(&ts[j-1]) || oneOf(quantityWords, ts[j-1].low)):
		return j - 1
	case oneOf(" big huge large massive small tiny ", ts[j].low):
		return j
	}
	return i
}

// quantify finds quantities that the model left out. What it says of the quantity is
// no attribute of the object: "a small herd of sheep".
func (b *building) quantify() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.nodes {
		n := &x.nodes[i]
		if at[i] < 0 || ts[n.from].tag == tagPRP {
			continue
		}
		counted := x.plural(ts, int32(i))
		if at[counted] < 0 {
			continue
		}
		o := &g.Objects[at[counted]]
		if begin := x.counted(ts, i); o.Quantity == "" {
			if from, to := x.quantityBefore(ts, i, begin); from < to {
				o.Quantity = phrase(low, ts, from, to)
			}
		}
		if o.Quantity != "" && strings.Trim(o.Quantity, "0123456789") == "" && o.Quantity != "1" && !several(&ts[x.nodes[counted].to-1]) {
			o.Quantity = "" // "39 Main Road", "skirt purple 322206"
		}
		if strings.HasSuffix(o.Quantity, " of") && !strings.HasSuffix(o.Quantity, "pair of") {
			o.Attributes = slices.DeleteFunc(o.Attributes, func(a schemas.Attribute) bool {
				return a.Form == schemas.Pre && slices.Contains(strings.Fields(o.Quantity), a.Text)
			})
		}
	}
}
