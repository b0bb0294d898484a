package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// splitTitles separates the parts of a title: "Octopus Earrings - Octopus Jewelry - Stud Earrings".
// A noun that the model takes for an attribute of an object in another part becomes an object. An
// adjective right after the divider stays with the object: "Luggage Tag - Brown".
func (x *Reading) splitTitles(ts []tokens.Token) {
	found, cased := false, false
	for i := range ts {
		found = found || ts[i].Kind == tokens.Mark && ts[i].IsOneOf(dividers)
		cased = cased || ts[i].Capital
	}
	if !found {
		return
	}
	for k := range x.Nodes {
		n := &x.Nodes[k]
		for n.To-n.From > 1 && ts[n.To-1].Kind == tokens.Mark && ts[n.To-1].IsOneOf(dividers) {
			x.InNode[n.To-1] = false
			*n = analysis.NewNode(ts, int(n.From), int(n.To)-1, n.IsAttribute)
		}
	}
	for k := len(x.Links) - 1; k >= 0; k-- {
		l := x.Links[k]
		a, o := &x.Nodes[l.Attribute], &x.Nodes[l.Object]
		marks := countDividers(ts, min(a.To, o.To), max(a.From, o.From), cased)
		if marks == 0 {
			continue
		}
		last := &ts[a.To-1]
		switch {
		case last.Flags&tokens.Adjective == 0 && penn.IsNoun(last.Tag) && ts[a.From].Tag != penn.IN && (int(a.To) == len(ts) || ts[a.To].Kind == tokens.Mark):
			a.IsAttribute = false
			x.takeAttributes(k)
			x.Links[k].Object = -1
		case marks > 1 || l.Object > l.Attribute || ts[a.From-1].Kind != tokens.Mark:
			x.Links[k].Object = -1
		}
	}
	x.Links = slices.DeleteFunc(x.Links, func(l analysis.Link) bool { return l.Object < 0 })
}

// takeAttributes gives the node of link k, now an object, the attributes right before it.
func (x *Reading) takeAttributes(k int) {
	i := x.Links[k].Attribute
	for j := k - 1; j >= 0 && x.Links[j].Attribute == x.Links[j+1].Attribute-1 && x.Nodes[x.Links[j].Attribute].To == x.Nodes[x.Links[j+1].Attribute].From; j-- {
		x.Links[j].Object = i
	}
}

// countDividers counts the dividers between two tokens. A hyphen with spaces around it is one if
// the text has capitals. Tokenised text has such hyphens in words: "time - lapse".
func countDividers(ts []tokens.Token, from, to int32, cased bool) int {
	n := 0
	for i := from; i < to; i++ {
		if ts[i].Kind != tokens.Mark || !ts[i].IsOneOf(dividers) {
			continue
		}
		if next := &ts[i+1]; ts[i].Low != "-" || next.Capital || cased && ts[i].Spaced && next.Spaced {
			n++
		}
	}
	return n
}

// crossesDash reports whether a dash separates the second object of e from a predicate that has an
// object before the dash: "a man with a beard - a portrait". It also is true if the predicate
// belongs to what begins after the dash.
func crossesDash(ts []tokens.Token, x *Reading, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Position != analysis.Between {
		return false
	}
	last := c.Words[c.N-1]
	b := x.PhraseStart(int(e.B))
	if isDeterminer(&ts[b-1]) {
		b--
	}
	for i := b - 1; i > last; i-- {
		if ts[i].IsOneOf(dividers) && (i == b-1 || ts[i].Low != "-" || ts[i+1].Capital) {
			return x.Nodes[objectBefore(x, int(e.A), i)].From > last
		}
	}
	return false
}

// isCapitalised reports whether all words have a capital, as in a name or a title.
func isCapitalised(ts []tokens.Token) bool {
	for i := range ts {
		if ts[i].Kind == tokens.Letters && !ts[i].Capital {
			return false
		}
	}
	return true
}

// namesNothing reports whether a node is a word, or the words of a shop, that names nothing.
func namesNothing(ts []tokens.Token, n *analysis.Node) bool {
	if n.To == n.From+1 {
		return isNameless(ts, n.From)
	}
	return n.To == n.From+2 && ts[n.From].Low == "stock" && isNameless(ts, n.From) && isNameless(ts, n.From+1)
}

// isNameless reports whether token i, alone, names neither a thing nor a quality: an article number
// ("DBL220357"), a measure ("51x42mm"), a letter, a number that counts nothing, a verb after its
// pronoun.
func isNameless(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	switch {
	case i > 0 && ts[i-1].IsOneOf(" i we he she they you "):
		return true // a verb: "we spot"
	case t.Kind == tokens.Digits || t.Kind == tokens.Mark || t.IsOneOf(unspecific) || t.IsOneOf(boilerplate) || t.IsOneOf(drawn):
		return true
	case i > 0 && ts[i-1].Low == "stock" && t.IsOneOf(stockOf):
		return int(i)+1 == len(ts) || ts[i+1].Tag != penn.IN
	case t.Flags&tokens.VerbS != 0 && i > 0 && ts[i-1].Tag == penn.WDT:
		return true // "a creek that meanders"
	}
	return t.Kind == tokens.Letters && (len(t.Low) == 1 || t.Entry < 0 && (isCode(t.Low) || strings.Contains(t.Low, "_") || strings.Count(t.Low, "-") > 3))
}

// isDeterminer reports whether t is an article or a possessive pronoun.
func isDeterminer(t *tokens.Token) bool { return t.Tag == penn.DT || t.Tag == penn.PRPS }

// isCode reports whether a word is a code, and not a word with a number in it ("6-light", "1920s").
func isCode(w string) bool {
	const numerals = "0123456789"
	if cut := strings.LastIndexByte(w, '-'); cut >= 0 && !strings.ContainsAny(w[cut:], numerals) {
		return false
	}
	w = strings.TrimSuffix(w, "s")
	return strings.ContainsAny(w, numerals) && strings.Trim(w, numerals) != ""
}
