package rules

import (
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// relativeSubject returns the object, node a or a later one, that the relative clause with the verb at token i
// describes, or -1: the woman in "a man talks to a woman who is sitting on a bench".
func (x *Reading) relativeSubject(ts []tokens.Token, a, i int32) int32 {
	first := verbGroupStart(ts, i)
	if first <= x.Nodes[a].To || !penn.IsVerb(ts[i].Tag) {
		return -1
	}
	if m := int32(objectBefore(x, int(a), first-1)); ts[first-1].Low == "who" && x.Nodes[m].IsPerson && countWords(ts[x.Nodes[m].To:max(first-1, x.Nodes[m].To)]) == 0 {
		return m
	}
	if ts[first-1].Tag == penn.CC {
		return x.continuedSubject(ts, a, i)
	}
	return -1
}

// continuedSubject returns the object, node a or a later one, that a relative clause describes, if the verb at token i
// continues that clause after a conjunction; else -1. It continues if both verbs have the same form: the groom in "a
// bride stands with a groom who is *wearing* a suit and *holding* a bouquet".
func (x *Reading) continuedSubject(ts []tokens.Token, a, i int32) int32 {
	finite := i // last finite verb passed
	for k := verbGroupStart(ts, i) - 2; k >= x.Nodes[a].To && k > i-maxClause && ts[k].Tag != penn.Period; k-- {
		t := &ts[k]
		switch {
		case x.InNode[k]:
		case isRelativePronoun(t):
			verb := k + 1
			for verb < i && (ts[verb].IsBe || ts[verb].Tag == penn.RB) {
				verb++
			}
			m := int32(objectBefore(x, int(a), k))
			same := ts[verb].Tag == ts[i].Tag || ts[verb].Tag == penn.VBN && ts[i].Tag == penn.VBG || ts[verb].Tag == penn.VBG && ts[i].Tag == penn.VBN
			if !same || finite < i && finite > verb || countWords(ts[x.Nodes[m].To:max(k, x.Nodes[m].To)]) > 0 {
				return -1
			}
			return m
		case isFinite(t) && finite == i:
			finite = k
		}
	}
	return -1
}

// countWords returns the number of tokens that are not punctuation.
func countWords(ts []tokens.Token) (n int) {
	for i := range ts {
		if ts[i].Kind != tokens.Mark {
			n++
		}
	}
	return n
}

// isUnnamedSubject reports whether the subject of the verb at token i is one of several without a noun: "the second" in
// "the first is wearing a scarf, and the second has a bag".
func isUnnamedSubject(ts []tokens.Token, x *Reading, i int32) bool {
	i = verbGroupStart(ts, i)
	if i < 2 || !isFinite(&ts[i]) || x.InNode[i-1] {
		return false
	}
	t, before := &ts[i-1], &ts[i-2]
	return t.IsOneOf(" first former fourth last latter other others second third ") && before.Low == "the" ||
		t.IsOneOf(" another both neither one others ") && (before.Kind == tokens.Mark || before.Tag == penn.CC || before.IsOneOf(conjunctions))
}
