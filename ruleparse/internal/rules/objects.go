package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// onlyVerb reports whether t is a verb in the third person and nothing else, whatever
// its tag.
func onlyVerb(t *tokens.Token) bool {
	return t.Flags&tokens.VerbS != 0 && t.Flags&tokens.AnyNoun == 0 && !t.Be
}

// relateBefore relates object b with the one before it, where a verb or a
// preposition stands between. What the model relates by the same words with an
// object further on is wrong: "a gown against a backdrop of sunlight".
func (x *Reading) relateBefore(ts []tokens.Token, b int) {
	a := x.previous(b)
	if a < 0 {
		return
	}
	c, ok := x.stated(ts, x.Nodes[a].To, b)
	if !ok {
		return
	}
	x.claim(b, c.Words[c.N-1:c.N])
	x.added = append(x.added, analysis.Relation{A: int32(a), B: int32(b), Candidate: c})
}

// claim takes the words that say something of object b from what the model says with them of
// objects after it.
func (x *Reading) claim(b int, words []int32) {
	for k := x.edgesFrom(b + 1); k < len(x.Edges) && int(x.Edges[k].B) <= b+analysis.MaxNeighbour; k++ {
		if c := &x.Edges[k].Candidate; c.Implied == 0 && c.N > 0 && slices.Contains(words, c.Words[c.N-1]) {
			c.N = 0
		}
	}
}

// stated is the predicate that stands between token from and object b: a preposition,
// or a verb with or without one.
func (x *Reading) stated(ts []tokens.Token, from int32, b int) (analysis.Candidate, bool) {
	to := x.Begins(b)
	c := analysis.Candidate{Where: analysis.Between}
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.InNode[i] || t.Kind == tokens.Mark || t.Tag == penn.CC || i > from && (t.Tag == penn.WDT || t.Tag == penn.WP) || t.Tag == penn.PRP:
			return c, false
		case tells(ts, i) && !(t.Measure && i > from), i > from && spot(ts, i), t.Low == "of" && i > from && spot(ts, i-1):
			if c.N == analysis.MaxPredicate {
				return c, false
			}
			c.Words[c.N] = i
			c.N++
		case !analysis.Silent(t) && !qualifies(t):
			return c, false
		}
	}
	return c, c.N > 0
}

// spot reports whether token i, before "of", says where at a thing something is: "in *front* of
// a car", "down the *side* of a hill".
func spot(ts []tokens.Token, i int32) bool {
	t, l := &ts[i], &ts[i-1]
	return penn.IsNoun(t.Tag) && ts[i+1].Low == "of" && (prepositions(l) || determines(l) && i > 1 && prepositions(&ts[i-2])) && t.In(regions)
}

// tells reports whether token i belongs to a predicate, as it stands before an object:
// it is a verb or a preposition, perhaps tagged as an adverb ("down a slope", "next to").
func tells(ts []tokens.Token, i int32) bool {
	t, next := &ts[i], &ts[i+1]
	switch t.Tag {
	case penn.IN, penn.TO, penn.RP:
		return true
	}
	return penn.IsVerb(t.Tag) && !t.Be || onlyVerb(t) || t.Low == "next" && next.Low == "to" ||
		prepositions(t) && (determines(next) || prepositions(next))
}

// absent reports whether the text says that object i is not there: "trees with no
// leaves", "a man without a shirt". "No" before a sign is what the sign says.
func absent(ts []tokens.Token, x *Reading, i int) bool {
	n := &x.Nodes[i]
	if ts[n.To-1].In(" sign signs ") {
		return false
	}
	begin := x.Begins(i)
	for begin > 0 && !x.InNode[begin-1] && (qualifies(&ts[begin-1]) || determines(&ts[begin-1]) && ts[begin-1].Low != "no") {
		begin--
	}
	return begin > 0 && ts[begin-1].In(" no without ")
}

// negated reports whether what c says is said not to be: "a dish that was not served to the
// guests", "eating without using his hands".
func negated(ts []tokens.Token, c *analysis.Candidate) bool {
	first, last := c.Words[0], c.Words[c.N-1]
	from := max(0, first-analysis.MaxPair)
	for first > from && (ts[first-1].Be || ts[first-1].Tag == penn.TO || ts[first-1].Tag == penn.RB && !denies(ts, first-1) || perfect(ts, first-1) >= 0) {
		first--
	}
	if first > 0 && ts[first-1].Low == "without" && penn.IsVerb(ts[first].Tag) {
		return true
	}
	for i := max(first-1, 0); i < last; i++ {
		if denies(ts, i) {
			return true
		}
	}
	return false
}

// denies reports whether token i is a "not" that leaves nothing of what follows, as "not only"
// and "not just" do not.
func denies(ts []tokens.Token, i int32) bool {
	return ts[i].In(" n't n’t never not ") && !(int(i)+1 < len(ts) && ts[i+1].In(" just only "))
}
