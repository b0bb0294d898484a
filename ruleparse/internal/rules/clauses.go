package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// clauses keeps relations within their clause: what stands before "while" says nothing
// of what comes after it, nor what stands before a verb after a conjunction or right before
// a comma, nor a preposition that has a pronoun of its own. Where words after such a mark say
// something of the object they are its predicate: "a man wiping his brow while bouncing
// a ball", "a cat sleeping on it next to a bear".
func (x *Reading) clauses(ts []tokens.Token) {
	crossed := false
	x.added = x.added[:0]
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.Forward() || c.Words[0] < x.Nodes[e.A].To {
			continue
		}
		if k := slices.IndexFunc(c.Words[:c.N], func(i int32) bool { return ts[i].Low == "while" }); k >= 0 {
			c.N = uint8(copy(c.Words[:], c.Words[k+1:c.N]))
			crossed = crossed || c.N == 0
			continue
		}
		if end := c.Words[c.N-1] + 1; ts[end].Tag == penn.Comma && ts[end-1].Tag != penn.JJ {
			c.N, crossed = 0, true // "people standing, tree, sky"
			continue
		}
		mark := x.mark(ts, c, e.B)
		if mark < 0 {
			continue
		}
		said, ok := x.stated(ts, mark+1, int(e.B))
		switch {
		case ok && ts[mark].Tag == penn.CC && c.Words[c.N-1] == mark-1 && (c.N > 1 || said.N == 1 && !ts[c.Words[0]].In(resting)):
			x.added = append(x.added, analysis.Relation{A: e.A, B: e.B, Candidate: said}) // "holding and kissing her cat"
		case ok && (ts[mark].Tag != penn.IN || ts[mark].Low == "while" || penn.IsVerb(ts[said.Words[0]].Tag)):
			*c = said
		default:
			c.N, crossed = 0, true
		}
	}
	if crossed {
		x.strip(ts)
	}
	x.include()
}

// mark is the last token between the words of c and object b that ends the clause of c,
// or -1.
func (x *Reading) mark(ts []tokens.Token, c *analysis.Candidate, b int32) int32 {
	begin := x.Begins(int(b))
	for i := begin - 1; i > c.Words[c.N-1]; i-- {
		t := &ts[i]
		switch {
		case x.InNode[i]:
		case t.Low == "while" || t.Low == "as" && t.Tag == penn.IN && !ts[i-1].In(" such well "):
			return i
		case t.Tag == penn.CC && penn.IsVerb(ts[i+1].Tag) && ts[i+1].Low != "including" && !x.InNode[i+1]:
			return i
		case t.Tag == penn.PRP && t.In(" her him it me them us ") && ts[i+1].Kind != tokens.Clitic && prepositions(&ts[i-1]) && ts[i-1].Tag != penn.RP && i+1 < begin:
			return i
		}
	}
	return -1
}

// reach keeps a predicate from objects that are not its own: what has an object after it
// says nothing of one before its subject. "The monks clean a garden at a temple" has no
// garden at the monks. In a relative clause it does, by its verb: "the dress that the actor
// wore in a movie".
func (x *Reading) reach(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if c.N == 0 || c.Where != analysis.After || !c.Reversed || !x.spoken(ts, c) {
			continue
		}
		if relates(&ts[x.Nodes[e.A].To]) && penn.IsVerb(ts[c.Words[0]].Tag) {
			c.N = 1
		} else {
			c.N = 0
		}
	}
	x.strip(ts)
}

// spoken reports whether the words of c have an object after them, or a noun that may be.
func (x *Reading) spoken(ts []tokens.Token, c *analysis.Candidate) bool {
	last := c.Words[c.N-1]
	for i := last + 1; int(i) < len(ts) && i < last+analysis.MaxPair; i++ {
		switch t := &ts[i]; {
		case x.InNode[i]:
			if k := x.nodeAt(i); k < 0 || !x.Nodes[k].Attribute {
				return t.Tag != penn.PRP
			}
		case penn.IsNoun(t.Tag):
			return !t.In(parts)
		case !determines(t) && t.Tag != penn.CD && t.Tag != penn.JJ:
			return false
		}
	}
	return false
}

// part gives an object to the preposition or the verb that stands between it and the object
// before it, where the model has both in one relation: "a man riding on a bus in a park".
func (x *Reading) part(ts []tokens.Token) {
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.Forward() || c.N == 0 {
			continue
		}
		last := c.Words[c.N-1]
		for m := x.previous(int(e.B)); m > int(e.A) && x.Nodes[m].From > last; m = x.previous(m) {
			own := x.edgesOf(m)
			same := slices.IndexFunc(own, func(f analysis.Relation) bool {
				return f.A == e.A && f.Candidate.Words == c.Words && f.Candidate.N == c.N
			})
			if same < 0 {
				continue
			}
			to := x.Nodes[m].To
			switch said, ok := x.stated(ts, to, int(e.B)); {
			case !x.governed(ts, to, x.Begins(int(e.B))):
			case ok && len(x.edgesOf(int(e.B))) == 1:
				e.A, *c = int32(m), said
			default:
				c.N = 0
			}
			break
		}
	}
	x.strip(ts)
}

// governed reports whether a preposition or a verb stands among the tokens from from up to to,
// or "'s" at the first, and nothing by which an object is one more.
func (x *Reading) governed(ts []tokens.Token, from, to int32) bool {
	found := false
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.InNode[i]:
		case t.Tag == penn.CC || t.Kind == tokens.Mark && t.Tag != penn.Period || t.In(" as including plus with "):
			return false
		case t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.WDT || t.Tag == penn.WP || t.Tag == penn.POS && i == from || penn.IsVerb(t.Tag):
			found = true
		}
	}
	return found
}

// relates reports whether t can be a relative pronoun.
func relates(t *tokens.Token) bool { return t.Tag == penn.WDT || t.Tag == penn.WP || t.Low == "that" }

// concludes reports whether a clause ends before token i.
func (x *Reading) concludes(ts []tokens.Token, i int32) bool {
	return int(i) == len(ts) || ts[i].Kind == tokens.Mark || !x.InNode[i] && (ts[i].Tag == penn.CC || ts[i].In(" as while "))
}

// refer says what is at "it" or "them" of what that stands for, and what the model leaves out
// of what is with the object, or has it: "a dock with a boat tied to it".
func (x *Reading) refer(ts []tokens.Token) {
	x.added = x.added[:0]
	for b := range x.Nodes {
		if x.Nodes[b].Attribute {
			continue
		}
		own := x.edgesOf(b)
		if k := slices.IndexFunc(own, func(e analysis.Relation) bool { return x.refers(ts, &e) }); k >= 0 {
			e := &own[k]
			a := x.denoted(ts, e)
			x.locate(ts, e, a, b, e.Candidate)
			e.A = a
		} else if c, ok := x.state(ts, b); ok {
			if e, a := x.bearer(ts, own, &c); a >= 0 {
				x.locate(ts, e, a, b, c)
			}
		}
	}
	x.include()
	x.strip(ts)
}

// refers reports whether e says that something is at what a pronoun stands for.
func (x *Reading) refers(ts []tokens.Token, e *analysis.Relation) bool {
	c := &e.Candidate
	if c.Implied != 0 || !c.Reversed || c.Where != analysis.After || c.N == 0 {
		return false
	}
	end := c.Words[c.N-1] + 1
	return int(end) < len(ts) && ts[end].In(pronouns)
}

// state is the predicate that stands between object b and a pronoun, "tied to", "in front of", or
// that ends a clause: "on top".
func (x *Reading) state(ts []tokens.Token, b int) (analysis.Candidate, bool) {
	c := analysis.Candidate{Where: analysis.After, Reversed: true}
	for i := x.Nodes[b].To; int(i) < len(ts); i++ {
		switch t := &ts[i]; {
		case x.InNode[i] && t.Tag != penn.PRP:
			return c, false
		case c.N > 0 && t.Tag == penn.PRP:
			return c, t.In(pronouns) && ts[i-1].Tag != penn.VBG && (int(i)+1 == len(ts) || ts[i+1].Tag != penn.POS && ts[i+1].Kind != tokens.Clitic)
		case c.N > 1 && ts[i-1].In(sides) && x.concludes(ts, i):
			return c, true
		case c.N > 0 && t.Tag == penn.DT:
		case int(c.N) < len(c.Words) && (c.N == 0 && (t.Tag == penn.VBG || t.Tag == penn.VBN) || prepositions(t) || c.N > 0 && (t.Low == "of" || t.In(sides))):
			c.Words[c.N] = i
			c.N++
		default:
			return c, false
		}
	}
	return c, c.N > 1 && ts[c.Words[c.N-1]].In(sides)
}

// possession is the relation by which an object of which own are the relations is said to be with
// another, or had by it, or nil.
func (x *Reading) possession(ts []tokens.Token, own []analysis.Relation) *analysis.Relation {
	for k := range own {
		if c := &own[k].Candidate; c.Forward() && c.N > 0 && ts[c.Words[c.N-1]].In(" had has have having with ") {
			return &own[k]
		}
	}
	return nil
}

// bearer is the object at which c says another to be: that which is said to be with it or to
// have it, by e, or the one before that where it fits the pronoun better and is in no list with
// it; or -1.
func (x *Reading) bearer(ts []tokens.Token, own []analysis.Relation, c *analysis.Candidate) (e *analysis.Relation, bearer int32) {
	pronoun := tokens.At(ts, c.Words[c.N-1]+1)
	fits := func(a int32) bool { return standsFor(pronoun, &ts[x.Nodes[a].To-1], &x.Nodes[a]) }
	if e = x.possession(ts, own); e == nil {
		return nil, -1
	} else if fits(e.A) || pronoun.Tag != penn.PRP {
		return e, e.A
	}
	a := x.previous(int(e.B))
	if m, _ := x.joined(ts, int(e.B)); m != a && fits(int32(a)) {
		return e, int32(a) // "walking on a cross walk with cars driving on it"
	}
	return e, -1
}

// locate adds that object b is where c says of object a, with which e relates it, and so of those
// that it is coordinated with: "a table with a vase and flowers on top", not "two sinks and a
// mirror over it".
func (x *Reading) locate(ts []tokens.Token, e *analysis.Relation, a int32, b int, c analysis.Candidate) {
	for m := b; m > int(a) && m != int(e.A) && (m == b || !ts[x.Nodes[m].To-1].In(spots)); m, _ = x.joined(ts, m) {
		x.added = append(x.added, analysis.Relation{A: a, B: int32(m), Candidate: c})
		if e.Candidate.Forward() && e.Candidate.N > 1 {
			break // "filled with water and rocks on the bottom"
		}
	}
}

// denoted is what the pronoun after the words of e stands for: the first object of e or, where that
// does not fit, the only one before the second that does: "a woman riding a bike with a basket on it".
func (x *Reading) denoted(ts []tokens.Token, e *analysis.Relation) int32 {
	pronoun := &ts[e.Candidate.Words[e.Candidate.N-1]+1]
	if standsFor(pronoun, &ts[x.Nodes[e.A].To-1], &x.Nodes[e.A]) {
		return e.A
	}
	if a := x.antecedent(ts, pronoun, e.B); a >= 0 {
		return a
	}
	return e.A
}

// antecedent is what a pronoun stands for by its number among the objects before object b, or -1
// where that is not sure.
func (x *Reading) antecedent(ts []tokens.Token, pronoun *tokens.Token, b int32) int32 {
	found := int32(-1)
	for a := max(0, b-maxBack); a < b; a++ {
		n := &x.Nodes[a]
		if n.Attribute || ts[n.From].Tag == penn.PRP || n.Class == tokens.ClassBody || ts[n.To-1].In(media) || !standsFor(pronoun, &ts[n.To-1], n) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = a
	}
	return found
}

// front relates the place with which a sentence begins and what is there: "In the background,
// trees stand tall".
func (b *building) front() {
	ts, x, at, g := b.ts, b.x, b.at, b.g
	for i := range x.Nodes {
		if at[i] < 0 || x.Nodes[i].Attribute {
			continue
		}
		k := i - 1
		for ; k >= 0 && (x.Nodes[k].Attribute || at[k] < 0); k-- {
		}
		if k < 0 || areRelated(g, at[k], at[i]) {
			continue
		}
		to := x.Begins(k)
		begin := to
		for begin > 0 && begin > to-analysis.MaxPredicate && ts[begin-1].Tag != penn.Period {
			begin--
		}
		if begin > 0 && ts[begin-1].Tag != penn.Period || !prepositions(&ts[begin]) {
			continue
		}
		c, ok := x.stated(ts, begin, k)
		if !ok || c.Words[0] != begin || !x.opened(ts, x.Nodes[k].To, x.Begins(i)) {
			continue
		}
		r := schemas.Relation{Subject: at[i], Object: at[k]}
		b.rules.predicate(b.low, ts, x, &c, &r)
		g.Relations = append(g.Relations, r)
	}
}

// opened reports whether tokens from up to to end what stands before a clause: a comma or "there is".
func (x *Reading) opened(ts []tokens.Token, from, to int32) bool {
	opened := false
	for i := from; i < to; i++ {
		switch t := &ts[i]; {
		case t.Tag == penn.Comma || t.Tag == penn.EX:
			opened = true
		case !x.InNode[i] && !determines(t) && !t.Be && !t.Measure && t.Low != "of" && t.Tag != penn.CD && !qualifies(t):
			return false
		}
	}
	return opened
}
