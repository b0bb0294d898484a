package rules

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// settle says of whatever a phrase is about, or does, what the model says of the
// last noun of it: the occasion ("a couple by the sea during a festival", "a goalkeeper
// defends the net during a match") and the backdrop ("berries on a branch on a white
// background").
func (x *Reading) settle(ts []tokens.Token) {
	x.added = x.added[:0]
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if !c.Forward() {
			continue
		}
		switch {
		case c.N == 1 && occasion(ts, &x.Nodes[e.B], c.Words[0]):
			x.happen(ts, e)
		case backdrop(ts, &x.Nodes[e.B], c):
			x.stand(ts, e)
		}
	}
	x.include()
}

// occasion reports whether the preposition at token i says of object b when
// something is, or in what setting.
func occasion(ts []tokens.Token, b *analysis.Node, i int32) bool {
	event := b.Class == tokens.ClassEvent || b.Class == tokens.ClassAct
	return ts[i].In(occasions) || event && ts[i].In(happenings) || ts[b.To-1].In(times) && ts[i].In(" at in on ") ||
		ts[b.To-1].Low == "setting" && ts[i].Low == "in"
}

// happen moves an occasion from the last noun of a phrase to what the phrase is
// about, with its verb where that has no object of its own: "children play in the
// snow at sunset".
func (x *Reading) happen(ts []tokens.Token, e *analysis.Relation) {
	when := e.Candidate.Words[0]
	e.A = int32(objectBefore(x, int(e.A), when))
	for range maxPhrase {
		k := x.into(e.A)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		f := x.Edges[k]
		c := &f.Candidate
		acts := penn.IsVerb(ts[c.Words[0]].Tag)
		if f.A = subject(ts, x, k); f.A < 0 {
			return
		}
		e.A = f.A
		if acts && c.N > 1 {
			e.Candidate.N = 1
			for e.Candidate.Words[0] = c.Words[0]; e.Candidate.N < c.N-1 && ts[c.Words[e.Candidate.N]].Tag == penn.RP; e.Candidate.N++ {
				e.Candidate.Words[e.Candidate.N] = c.Words[e.Candidate.N]
			}
			e.Candidate.Words[e.Candidate.N] = when
			e.Candidate.N++
		}
		if acts {
			return
		}
	}
}

// backdrop reports whether a candidate says that something is before backdrop b.
func backdrop(ts []tokens.Token, b *analysis.Node, c *analysis.Candidate) bool {
	first, last := ts[c.Words[0]].Low, ts[c.Words[c.N-1]].Low
	return ts[b.To-1].In(" backdrop background ") && wordclass.Has(" against on over ", last) &&
		(c.N == 1 || first == "isolated" || wordclass.Has(postureVerbs, first))
}

// stand moves a backdrop from the last noun of a phrase to what the phrase is about,
// or to what the picture that it is about shows.
func (x *Reading) stand(ts []tokens.Token, e *analysis.Relation) {
	for range maxPhrase {
		k := x.into(e.A)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		e.A = x.Edges[k].A
	}
}

// pictured reports whether relation k is that of a picture with what it shows.
func (x *Reading) pictured(ts []tokens.Token, k int) bool {
	return ts[x.Nodes[x.Edges[k].A].To-1].In(media)
}

// into is the first relation that words state between an object before object b and
// b, or -1.
func (x *Reading) into(b int32) int {
	for k := x.edgesFrom(int(b)); k < len(x.Edges) && x.Edges[k].B == b; k++ {
		if c := &x.Edges[k].Candidate; c.Implied == 0 && !c.Reversed && c.Where == analysis.Between {
			return k
		}
	}
	return -1
}

// strays reports whether what an attribute says is said of when or where something
// is, or of a noun that is no object, not of the object that the model gives it to:
// "clouds above a hill on a sunny day", "a cold wait for the bus", "nails for a fun look". A
// style or a condition is one of the object itself. What stands after "something" is said of that.
func (x *Reading) strays(ts []tokens.Token, l analysis.Link) bool {
	if l.Object > l.Attribute {
		return x.skips(ts, l)
	}
	n := &x.Nodes[l.Attribute]
	to := n.To
	for int(to)+2 < len(ts) && to < n.To+analysis.MaxPair && goesOn(ts, to) {
		to += 2
	}
	if int(to) == len(ts) || x.InNode[to] || !penn.IsNoun(ts[to].Tag) || ts[to].In(traits) {
		return false
	}
	i, whole := n.From-1, false
	for i >= 0 && i > n.From-analysis.MaxPair && (determines(&ts[i]) || ts[i].Tag == penn.JJ || ts[i].Tag == penn.RB || i > 0 && ts[i-1].Tag == penn.JJ && goesOn(ts, i)) {
		whole = whole || determines(&ts[i])
		i--
	}
	if i < 0 || ts[i].Be || ts[to].In(" one ones today tonight yesterday ") {
		return false // "burgers are a healthy option", "a pink one", "busy today"
	}
	return whole || ts[i].Tag == penn.IN || penn.IsVerb(ts[i].Tag) || (ts[i].Kind == tokens.Mark || ts[i].Tag == penn.CC) && !ts[n.From].Capital
}

// goesOn reports whether a conjunction or a comma and an adjective stand at token i.
func goesOn(ts []tokens.Token, i int32) bool {
	return (ts[i].Tag == penn.CC || ts[i].Tag == penn.Comma) && ts[i+1].Tag == penn.JJ
}

// skips reports whether another phrase begins between an attribute and the object after
// it that the model gives it to. What is of the object, or coordinated with it, does not
// count ("a large piece of cake", "an adult and a juvenile zebra").
func (x *Reading) skips(ts []tokens.Token, l analysis.Link) bool {
	from, to := x.Nodes[l.Attribute].To, x.Nodes[l.Object].From
	begins, joined, only := false, false, true
	for i := from; i < to; i++ {
		if x.InNode[i] {
			continue
		}
		t := &ts[i]
		switch {
		case t.Low == "of":
			l := &ts[max(i-1, 0)]
			return i > from && !x.InNode[i-1] && penn.IsNoun(l.Tag) && !l.In(portions)
		case t.Measure:
			return t.In(" body bodies ")
		case t.Tag == penn.CC:
			joined = true
		case t.Tag == penn.DT:
			begins = true
		case t.Tag == penn.IN || t.Tag == penn.TO || t.Tag == penn.PRPS || isFinite(t):
			begins, only = true, false
		default:
			only = false
		}
	}
	return begins && !(joined && only)
}
