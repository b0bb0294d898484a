package ruleparse

import "slices"

// coordinate says of the second of two coordinated objects what is said of the
// first, where the model left that out: "wearing a shirt and pants". Between two
// objects is between both. Whoever is with a plate of food and a cup is with the cup.
func (x *analysis) coordinate(ts []span) {
	x.edges = slices.DeleteFunc(x.edges, func(e relation) bool {
		c := &e.candidate
		if c.implied != 0 || c.n != 1 || ts[c.words[0]].low != "of" {
			return false
		}
		a := x.conjunct(ts, int(e.b))
		return a > int(e.a) && x.holder(ts, a, int(e.b)) == int(e.a)
	})
	x.added = x.added[:0]
	for b := range x.nodes {
		own := x.edges[x.edgesFrom(b):x.edgesFrom(b+1)]
		a := x.conjunct(ts, b)
		if a < 0 {
			if len(own) == 0 {
				x.resume(ts, b)
			}
			continue
		}
		if holder := x.holder(ts, a, b); holder >= 0 {
			a = holder
		}
		for k := x.edgesFrom(a); k < x.edgesFrom(a+1); k++ {
			e := x.edges[k]
			c := &e.candidate
			if !c.forward() || c.words[c.n-1] < x.nodes[e.a].to {
				continue
			}
			switch {
			case len(own) == 1 && int(own[0].a) < a && c.n == 1 && ts[c.words[0]].low == "between":
				own[0].candidate, own[0].a = e.candidate, e.a
			case len(own) == 0 && (c.worn(ts) || !acts(ts, &x.nodes[b]) || x.shows(ts, &e, b) || x.trims(ts, &e, b)):
				x.added = append(x.added, relation{e.a, int32(b), e.candidate})
			}
		}
	}
	x.include()
}

// holder is the container that object a is the content of, where object b after the
// conjunction is none: "a plate of food and a cup". It is -1 where there is none.
func (x *analysis) holder(ts []span, a, b int) int {
	if !x.determined(ts, int32(b)) {
		return -1
	}
	return x.container(ts, a)
}

// containers are what other things are in.
const containers = " bag bags basket baskets bottle bottles bowl bowls box boxes bucket buckets can cans carton container containers crate cup cups dish dishes glass glasses head jar jars jug mug mugs pan pans pitcher plate plates platter platters pot pots tray trays tub vase vases "

// container is what object a is said to fill, or -1: "a cup of coffee", "a vase filled with
// water".
func (x *analysis) container(ts []span, a int) int {
	i := x.begins(a) - 2
	if i > 0 && oneOf(" filled full ", ts[i].low) {
		i--
	}
	if i < 0 || !oneOf(" of with ", ts[x.begins(a)-1].low) || ts[i+1].low == "with" || !oneOf(containers, ts[i].low) || ts[i].low == "head" && x.nodes[a].alive {
		return -1
	}
	return x.nodeAt(i)
}

// resume relates object b with the one before it where a verb after a conjunction
// stands between: "a cat sits on a bed and looks at a man".
func (x *analysis) resume(ts []span, b int) {
	if x.nodes[b].attribute {
		return
	}
	a := x.previous(b)
	if a < 0 {
		return
	}
	verb := x.nodes[a].to + 1
	if verb >= x.nodes[b].from || ts[verb-1].tag != tagCC || !isVerb(ts[verb].tag) || ts[verb].be {
		return
	}
	if c, ok := x.stated(ts, verb, b); ok {
		x.added = append(x.added, relation{int32(a), int32(b), c})
	}
}

// previous is the object before node b, or -1.
func (x *analysis) previous(b int) int {
	for b--; b >= 0 && x.nodes[b].attribute; b-- {
	}
	return b
}

// conjunct is the object that object b is coordinated with by a conjunction, or -1.
func (x *analysis) conjunct(ts []span, b int) int {
	a, conjunction := x.joined(ts, b)
	if !conjunction {
		return -1
	}
	return a
}

// joined is the object before object b that a conjunction or a comma joins it with, and whether
// it is a conjunction; -1 where there is none.
func (x *analysis) joined(ts []span, b int) (a int, conjunction bool) {
	if x.nodes[b].attribute {
		return -1, false
	}
	a = x.previous(b)
	if a < 0 {
		return -1, false
	}
	comma := false
	for i := x.nodes[a].to; i < x.nodes[b].from; i++ {
		switch t := &ts[i]; {
		case t.tag == tagCC:
			conjunction = true
		case t.tag == tagComma:
			comma = true
		case !x.inNode[i] && t.tag != tagDT && t.tag != tagPRPS && !qualifies(t):
			return -1, false
		}
	}
	if !conjunction && !comma {
		return -1, false
	}
	return a, conjunction
}

// acts reports whether a verb follows object n, so that it may begin a clause.
func acts(ts []span, n *node) bool {
	if int(n.to) == len(ts) {
		return false
	}
	t := &ts[n.to]
	return isVerb(t.tag) || t.be || oneOf(postureVerbs, t.low) || animate(t.low)
}

// trims reports whether what e says of somebody or something belongs to their phrase, and
// object b does nothing by itself: "a man with a bat and a glove stands on a field".
func (x *analysis) trims(ts []span, e *relation, b int) bool {
	if !modifies(ts, &e.candidate) || x.moves(ts, int32(b)) || oneOf(" one ones other others someone ", ts[x.nodes[b].to-1].low) {
		return false
	}
	last := ts[e.candidate.words[e.candidate.n-1]].low
	if x.nodes[e.a].alive {
		return !oneOf(" at behind by from near on over ", last)
	}
	return oneOf(" containing filled for of with ", last) && !x.determined(ts, int32(b))
}

// shows reports whether what e says of a thing also holds for object b after a
// conjunction, whatever that does: "a street with cars and people walking", "a plate of
// bananas and oranges covered in syrup".
func (x *analysis) shows(ts []span, e *relation, b int) bool {
	c := &e.candidate
	if c.n > 1 || x.nodes[e.a].alive || isFinite(&ts[x.nodes[b].to]) {
		return false
	}
	switch ts[c.words[0]].low {
	case "with":
		return true
	case "of":
		return !x.nodes[b].alive || oneOf(media, ts[x.nodes[e.a].to-1].low)
	}
	return false
}
