package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// disguised makes attributes of adjectives and participles that the model takes for
// objects right before the object that they qualify, or its other attributes: "a hot
// bartender", "a long haired cat", "a snowy mountainous path", "a fenced in area"; and
// of a participle that is said of an object before it: "boats lined up at a dock".
func (x *Reading) disguised(ts []tokens.Token) {
	of := x.moved[:0] // what each node is, or what it qualifies
	for i := range x.Nodes {
		of = append(of, int32(i))
	}
	found, head := false, int32(-1) // head is the object that the nodes after this one lead to
	for i := len(x.Nodes) - 1; i >= 0; i-- {
		n := &x.Nodes[i]
		said := !n.Attribute && n.To-n.From == 1 && onlyParticiple(&ts[n.From])
		if said {
			x.particle(ts, i)
		}
		if i+1 == len(x.Nodes) || !x.adjoins(ts, i) {
			head = -1
		}
		switch {
		case n.Attribute:
		case head >= 0 && (said || n.To-n.From == 1 && ts[n.From].Tag == penn.JJ && qualifies(&ts[n.From])):
			n.Attribute, of[i], found = true, head, true
		case head >= 0 && x.modifies(ts, i, int(head)):
			n.Attribute, of[i], found = true, head, true
		case said && x.before(i) >= 0:
			n.Attribute, of[i], found = true, x.before(i), true
		default:
			head = int32(i)
		}
	}
	x.moved = of[:0]
	if !found {
		return
	}
	for i, o := range of {
		of[i] = of[o] // an object before may be disguised too
	}
	x.added = x.added[:0]
	for _, e := range x.Edges {
		a, b := of[e.A], of[e.B]
		if (a != e.A || b != e.B) && a < b && e.Candidate.Implied == 0 && (b == e.B || x.into(b) < 0) {
			x.added = append(x.added, analysis.Relation{A: a, B: b, Candidate: e.Candidate})
		}
	}
	x.Edges = slices.DeleteFunc(x.Edges, func(e analysis.Relation) bool { return of[e.A] != e.A || of[e.B] != e.B })
	x.include()
	for k := range x.Links {
		l := &x.Links[k]
		if n := &x.Nodes[l.Object]; of[l.Object] != l.Object && l.Attribute == l.Object-1 && x.Nodes[l.Attribute].To == n.From && n.To-n.From == 1 {
			x.Nodes[l.Attribute] = analysis.NewNode(ts, int(x.Nodes[l.Attribute].From), int(n.To), true)
		}
		l.Object = of[l.Object]
	}
	for i, o := range of {
		if o != int32(i) && (i == 0 || x.Nodes[i-1].To != x.Nodes[i].To) {
			x.Links = append(x.Links, analysis.Link{Attribute: int32(i), Object: o})
		}
	}
	x.orderLinks()
	x.dropInner()
}

// dropInner drops the nodes that end within the one before them.
func (x *Reading) dropInner() {
	kept := 0
	for i, n := range x.Nodes {
		if i > 0 && n.To == x.Nodes[i-1].To {
			x.moved = append(x.moved, int32(kept-1))
			continue
		}
		x.moved = append(x.moved, int32(kept))
		x.Nodes[kept] = n
		kept++
	}
	x.Nodes = x.Nodes[:kept]
	x.move()
}

// modifies reports whether object i belongs to the name of object head, since only
// attributes and names stand between and the model implies what relates the two: "an
// island nautical map". A plural or a number between says that they are two.
func (x *Reading) modifies(ts []tokens.Token, i, head int) bool {
	n := &x.Nodes[i]
	t := &ts[n.To-1]
	if noun := penn.IsNoun(t.Tag) && (t.Tag == penn.NN || t.Capital) && n.To < x.Nodes[head].From; !noun && !(penn.IsVerb(t.Tag) && t.Capital) || !penn.IsNoun(ts[x.Nodes[head].From].Tag) {
		return false
	}
	for k := i + 1; k < head; k++ {
		if numbers(&ts[x.Nodes[k].From]) {
			return false
		}
	}
	if h := &x.Nodes[head]; ts[n.From].Capital && !ts[n.From].Capitals && capitalised(ts[n.From:h.To]) && t.Tag != penn.NNS && !n.Alive {
		return true
	}
	return slices.ContainsFunc(x.edgesOf(head), func(e analysis.Relation) bool { return int(e.A) == i && e.Candidate.Implied != 0 })
}

// onlyParticiple reports whether t is a past participle and never a noun.
func onlyParticiple(t *tokens.Token) bool {
	return strings.HasSuffix(t.Low, "ed") && t.Flags&tokens.VerbParticiple != 0 && t.Flags&tokens.AnyNoun == 0
}

// particle takes the particle after a participle, node i, into it: "lined up".
func (x *Reading) particle(ts []tokens.Token, i int) {
	n := &x.Nodes[i]
	if int(n.To) == len(ts) || x.InNode[n.To] || !ts[n.To].In(" in off up ") {
		return
	}
	if ts[n.To].Tag == penn.RP || i+1 < len(x.Nodes) && x.Nodes[i+1].From == n.To+1 {
		x.InNode[n.To] = true
		*n = analysis.NewNode(ts, int(n.From), int(n.To)+1, false)
	}
}

// before is the object before node i that is related to it, or -1.
func (x *Reading) before(i int) int32 {
	if of := x.edgesOf(i); len(of) > 0 {
		return of[0].A
	}
	return -1
}

// adjoins reports whether node i + 1 follows node i, perhaps after a comma where node i
// is an adjective and never a noun: "a snowy, icy street".
func (x *Reading) adjoins(ts []tokens.Token, i int) bool {
	to, next := x.Nodes[i].To, x.Nodes[i+1].From
	return to == next || to+1 == next && ts[to].Tag == penn.Comma && ts[to-1].Flags&(tokens.Adjective|tokens.AnyNoun) == tokens.Adjective
}
