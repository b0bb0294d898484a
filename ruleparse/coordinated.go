package ruleparse

// coordinate says of the second of two coordinated objects what is said of the
// first, where the model left that out: "wearing a shirt and pants". Between two
// objects is between both. Whoever is with a plate of food and a cup is with the cup.
func (x *analysis) coordinate(ts []span) {
	x.added = x.added[:0]
	for b := range x.nodes {
		own := x.edges[x.edgesFrom(b):x.edgesFrom(b+1)]
		a := x.conjunct(ts, b)
		if a < 0 {
			continue
		}
		for k := x.edgesFrom(a); k < x.edgesFrom(a+1); k++ {
			e := x.edges[k]
			c := &e.candidate
			if !c.forward() || c.words[c.n-1] < x.nodes[e.a].to {
				continue
			}
			if len(own) == 0 && (c.worn(ts) || !acts(ts, &x.nodes[b])) {
				x.added = append(x.added, relation{e.a, int32(b), e.candidate})
			}
		}
	}
	x.include()
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
