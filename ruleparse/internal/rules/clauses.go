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

// addPredicated adds an attribute unless the object has it.
func addPredicated(low string, ts []tokens.Token, from, to int32, o *schemas.Object) {
	addSpoken(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: schemas.Post, Begin: ts[from].Begin, End: ts[to-1].End})
}

// addSpoken adds an attribute unless the object has one that is in part of the same words.
func addSpoken(o *schemas.Object, a schemas.Attribute) {
	for _, b := range o.Attributes {
		if b.Begin < a.End && a.Begin < b.End {
			return
		}
	}
	insertAttribute(o, a)
}

// intransitive adds what an object does at the end of a clause, where the model left that out:
// "while a crowd watches", "a man in a suit is cooking", "a train with people watching".
func (b *building) intransitive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.Nodes {
		n := &x.Nodes[i]
		if n.Attribute || int(n.To) == len(ts) || x.InNode[n.To] {
			continue
		}
		verb := progressive(ts, n.To)
		if x.InNode[verb] {
			continue
		}
		finite := verb > n.To || acting(&ts[verb])
		if !finite && !participates(ts, n) {
			continue
		}
		end := verb + 1
		if int(end) < len(ts) && !x.InNode[end] && ts[end].In(analysis.Particles) {
			end++
		}
		if !x.concludes(ts, end) {
			continue
		}
		a := int32(i)
		if finite || !n.Alive {
			a = phraseHead(ts, x, a, x.edgesFrom(i+1), n.To)
		}
		if at[a] >= 0 && !x.said(i, verb) {
			addPredicated(low, ts, verb, end, &g.Objects[at[a]])
		}
	}
}

// progressive is the participle of a verb that begins at token i, "is cooking", or i.
func progressive(ts []tokens.Token, i int32) int32 {
	for verb := i + 1; int(verb) < len(ts) && ts[i].Be && ts[i].Tag != penn.VBG; verb++ {
		switch t := &ts[verb]; {
		case t.Tag == penn.VBG && !t.Be && !t.In(transitive):
			return verb
		case t.Tag != penn.RB || t.Low == "not" || t.Low == "n't":
			return i
		}
	}
	return i
}

// participates reports whether a participle after object n says what it does: that of somebody,
// "with people watching", or one before a comma or "while".
func participates(ts []tokens.Token, n *analysis.Node) bool {
	t, next := &ts[n.To], &tokens.Border
	if t.Tag != penn.VBG || t.In(transitive) {
		return false
	}
	if int(n.To)+1 < len(ts) {
		next = &ts[n.To+1]
	}
	return n.Alive && (n.Person || n.Class == tokens.ClassGroup || several(&ts[n.To-1]) || next.Tag == penn.Comma) || next.Low == "while"
}

// said reports whether the verb at token i, right after object k, is the first word of a
// relation.
func (x *Reading) said(k int, i int32) bool {
	for _, e := range x.Edges[x.edgesFrom(k):x.edgesFrom(k+analysis.MaxNeighbour+1)] {
		if e.Candidate.Implied == 0 && e.Candidate.Words[0] == i {
			return true
		}
	}
	return false
}

// acting reports whether t is a verb by which somebody or something does something.
func acting(t *tokens.Token) bool {
	return (t.Tag == penn.VBZ || t.Tag == penn.VBP || t.Tag == penn.VB) && !t.Be && t.Flags&tokens.AnyVerb != 0 && !t.In(transitive)
}
