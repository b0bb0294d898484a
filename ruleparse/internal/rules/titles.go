package rules

import (
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// crossesDash reports whether a dash separates e's second object from its predicate, and another object stands between
// predicate and dash: "a man with a beard - a portrait". It is also true if the subject begins after the dash.
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

// namesNothing reports whether a node names neither a thing nor a quality: see isNameless, and words of a shop such as
// "stock photo".
func namesNothing(ts []tokens.Token, n *analysis.Node) bool {
	if n.To == n.From+1 {
		return isNameless(ts, n.From)
	}
	return n.To == n.From+2 && ts[n.From].Low == "stock" && isNameless(ts, n.From) && isNameless(ts, n.From+1)
}

// isNameless reports whether token i alone names neither a thing nor a quality: an article number ("DBL220357"), a
// measure ("51x42mm"), a letter, a number that is neither a year nor a count, or a verb after its pronoun.
func isNameless(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	switch {
	case i > 0 && ts[i-1].IsOneOf(" i we he she they you "):
		return true // a verb: "we spot"
	case t.Kind == tokens.Digits && !isYear(t) || t.Kind == tokens.Mark || t.IsOneOf(unspecific) || t.IsOneOf(boilerplate) || t.IsOneOf(drawn):
		return true
	case i > 0 && ts[i-1].Low == "stock" && t.IsOneOf(stockOf):
		return int(i)+1 == len(ts) || ts[i+1].Tag != penn.IN
	case t.Flags&tokens.VerbS != 0 && i > 0 && ts[i-1].Tag == penn.WDT:
		return true // a verb: "a creek that meanders"
	}
	return t.Kind == tokens.Letters && (len(t.Low) == 1 || t.Entry < 0 && (isCode(t.Low) || strings.Contains(t.Low, "_") || strings.Count(t.Low, "-") > 3))
}

// isDeterminer reports whether t is an article or a possessive pronoun.
func isDeterminer(t *tokens.Token) bool { return t.Tag == penn.DT || t.Tag == penn.PRPS }

// isCode reports whether a word is a code, unlike words with a number such as "6-light" or "1920s".
func isCode(w string) bool {
	const numerals = "0123456789"
	if cut := strings.LastIndexByte(w, '-'); cut >= 0 && !strings.ContainsAny(w[cut:], numerals) {
		return false
	}
	w = strings.TrimSuffix(w, "s")
	return strings.ContainsAny(w, numerals) && strings.Trim(w, numerals) != ""
}
