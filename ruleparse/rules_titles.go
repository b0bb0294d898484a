package ruleparse

import (
	"slices"
	"strings"
)

// divide keeps apart what the marks of a title divide: "Octopus Earrings - Octopus
// Jewelry - Stud Earrings". What the model takes for an attribute of an object on the other
// side of one is an object itself where it is a noun; an adjective right after the mark is
// the object's ("Luggage Tag - Brown").
func (x *analysis) divide(ts []span) {
	found, cased := false, false
	for i := range ts {
		found = found || ts[i].kind == mark && oneOf(dividers, ts[i].low)
		cased = cased || ts[i].capital
	}
	if !found {
		return
	}
	for k := range x.nodes {
		n := &x.nodes[k]
		for n.to-n.from > 1 && ts[n.to-1].kind == mark && oneOf(dividers, ts[n.to-1].low) {
			x.inNode[n.to-1] = false
			*n = makeNode(ts, int(n.from), int(n.to)-1, n.attribute)
		}
	}
	for k := len(x.links) - 1; k >= 0; k-- {
		l := x.links[k]
		a, o := &x.nodes[l.attribute], &x.nodes[l.object]
		marks := divisions(ts, min(a.to, o.to), max(a.from, o.from), cased)
		if marks == 0 {
			continue
		}
		last := &ts[a.to-1]
		switch {
		case last.flags&adjective == 0 && isNoun(last.tag) && ts[a.from].tag != tagIN && (int(a.to) == len(ts) || ts[a.to].kind == mark):
			a.attribute = false
			x.gather(k)
			x.links[k].object = -1
		case marks > 1 || l.object > l.attribute || ts[a.from-1].kind != mark:
			x.links[k].object = -1
		}
	}
	x.links = slices.DeleteFunc(x.links, func(l link) bool { return l.object < 0 })
}

// gather gives the node of link k, now an object, the attributes right before it.
func (x *analysis) gather(k int) {
	i := x.links[k].attribute
	for j := k - 1; j >= 0 && x.links[j].attribute == x.links[j+1].attribute-1 && x.nodes[x.links[j].attribute].to == x.nodes[x.links[j+1].attribute].from; j-- {
		x.links[j].object = i
	}
}

// divisions counts the dividers between two tokens. A hyphen with spaces around it is one
// where a text has capitals; tokenised text has hyphens in words so ("time - lapse").
func divisions(ts []span, from, to int32, cased bool) int {
	n := 0
	for i := from; i < to; i++ {
		if ts[i].kind != mark || !oneOf(dividers, ts[i].low) {
			continue
		}
		if next := &ts[i+1]; ts[i].low != "-" || next.capital || cased && ts[i].spaced && next.spaced {
			n++
		}
	}
	return n
}

// dashed reports whether what relation e says has an object of its own, and the
// second object comes after a dash: "a man with a beard - a portrait"; or whether
// it begins with a noun after a dash: "a man in the snow - photo of a house", or belongs to
// what begins anew there.
func dashed(ts []span, x *analysis, e *relation) bool {
	c := &e.candidate
	if c.where != between {
		return false
	}
	if x.anew(ts, e) {
		return true
	}
	if isNoun(ts[c.words[0]].tag) && followsDash(ts, c.words[0]) {
		return true
	}
	last := c.words[c.n-1]
	b := x.begins(int(e.b))
	if determines(&ts[b-1]) {
		b--
	}
	for i := b - 1; i > last; i-- {
		if oneOf(dividers, ts[i].low) && (i == b-1 || ts[i].low != "-" || ts[i+1].capital) {
			return x.nodes[objectBefore(x, int(e.a), i)].from > last
		}
	}
	return false
}

// followsDash reports whether a dash stands before token i and its article.
func followsDash(ts []span, i int32) bool {
	if i > 0 && determines(&ts[i-1]) {
		i--
	}
	return i > 0 && oneOf(" - -- – — ", ts[i-1].low)
}

// anew reports whether a sentence of its own begins at a mark between the first object of e and
// its words: they are an order after it ("decoration ideas - bring summer into the house"), or
// follow a subject or an exclamation there ("the dog - he steals your heart").
func (x *analysis) anew(ts []span, e *relation) bool {
	first := e.candidate.words[0]
	at := int32(-1)
	for i := max(x.nodes[e.a].to, first-maxPair); i < first; i++ {
		if x.inNode[i] || ts[i].kind != mark || !oneOf(dividers, ts[i].low) && !oneOf(ends, ts[i].low) {
			continue
		}
		if at >= 0 {
			return false // "four judges - artists all - sit at a table"
		}
		at = i
	}
	if at < 0 {
		return false
	}
	next := &ts[at+1]
	if at+1 == first {
		return next.tag == tagVB || next.tag == tagVBP
	}
	switch next.tag {
	case tagPRP, tagEX:
		return true
	case tagDT:
		return !oneOf(" all both each ", next.low)
	case tagCC, tagIN, tagMD, tagVBG, tagVBN:
		return false
	}
	return ts[at].low != "-" && !relates(next)
}

// capitalised reports whether all words have a capital, as those of a name and of a title.
func capitalised(ts []span) bool {
	for i := range ts {
		if ts[i].kind == letters && !ts[i].capital {
			return false
		}
	}
	return true
}

// nameless reports whether a node is a word, or words of a shop, that name nothing.
func (n *node) nameless(ts []span) bool {
	if n.to == n.from+1 {
		return nameless(ts, n.from)
	}
	return n.to == n.from+2 && ts[n.from].low == "stock" && nameless(ts, n.from) && nameless(ts, n.from+1)
}

// nameless reports whether token i, alone, names neither a thing nor a quality:
// an article number ("DBL220357"), a measure ("51x42mm"), a letter, a number that
// counts nothing, a verb after its pronoun.
func nameless(ts []span, i int32) bool {
	t := &ts[i]
	switch {
	case i > 0 && oneOf(" i we he she they you ", ts[i-1].low):
		return true // a verb: "we spot"
	case t.kind == digits || t.kind == mark || oneOf(unspecific, t.low) || oneOf(boilerplate, t.low) || oneOf(drawn, t.low):
		return true
	case i > 0 && ts[i-1].low == "royalty" && t.low == "free":
		return true
	case i > 0 && ts[i-1].low == "stock" && oneOf(stockOf, t.low):
		return int(i)+1 == len(ts) || ts[i+1].tag != tagIN
	case i > 1 && t.low == "side" && ts[i-1].low == "by" && ts[i-2].low == "side":
		return true
	case t.flags&(verbBase|verbS) != 0 && governs(ts, i):
		return true // "boards his car"
	case t.flags&verbS != 0 && i > 0 && ts[i-1].tag == tagWDT:
		return true // "a creek that meanders"
	case oneOf(colours, t.low) && isolatedOn(ts, int(i)):
		return true
	}
	return t.kind == letters && (len(t.low) == 1 || t.entry < 0 && (coded(t.low) || strings.Contains(t.low, "_") || strings.Count(t.low, "-") > 3))
}

// isolatedOn reports whether token i is a colour that stands for what is behind a thing, or one of
// two: "a toy isolated on white", "isolated on black and white".
func isolatedOn(ts []span, i int) bool {
	on := i - 1
	if on > 1 && ts[on].tag == tagCC && oneOf(colours, ts[on-1].low) {
		on -= 2
	}
	return on > 0 && ts[on].low == "on" && ts[on-1].low == "isolated" && !garment(ts, i+1)
}

// governs reports whether token i is a verb by what stands after it, a possessive
// pronoun or, at the beginning, "some" or what commands go on with ("watch the ships"), and
// not after what only stands before nouns.
func governs(ts []span, i int32) bool {
	if i == 0 && len(ts) > 1 && ts[0].tag == tagVB && ts[0].low != "display" {
		switch ts[1].tag {
		case tagDT, tagPRP, tagRP:
			return true
		}
	}
	if int(i)+1 >= len(ts) || ts[i+1].tag != tagPRPS && (i > 0 || ts[1].low != "some") {
		return false
	}
	if i == 0 {
		return true
	}
	l := &ts[i-1]
	return !determines(l) && l.tag != tagJJ && l.tag != tagCD && l.tag != tagIN && l.tag != tagPOS && l.tag != tagVBG && l.tag != tagVBN
}

// determines reports whether t is an article or a possessive pronoun.
func determines(t *span) bool { return t.tag == tagDT || t.tag == tagPRPS }

// coded reports whether a word is a code rather than a word with a number in it
// ("6-light", "1920s").
func coded(w string) bool {
	const numerals = "0123456789"
	if cut := strings.LastIndexByte(w, '-'); cut >= 0 && !strings.ContainsAny(w[cut:], numerals) {
		return false
	}
	w = strings.TrimSuffix(w, "s")
	return strings.ContainsAny(w, numerals) && strings.Trim(w, numerals) != ""
}
