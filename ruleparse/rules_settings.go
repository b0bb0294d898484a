package ruleparse

// settle says of whatever a phrase is about, or does, what the model says of the
// last noun of it: the occasion ("a couple by the sea during a festival", "a goalkeeper
// defends the net during a match") and the backdrop ("berries on a branch on a white
// background").
func (x *analysis) settle(ts []span) {
	x.added = x.added[:0]
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() {
			continue
		}
		switch {
		case c.n == 1 && occasion(ts, &x.nodes[e.b], c.words[0]):
			x.happen(ts, e)
		case backdrop(ts, &x.nodes[e.b], c):
			x.stand(ts, e)
		case c.n == 1 && ts[c.words[0]].low == "on" && oneOf(boards, ts[x.nodes[e.b].to-1].low):
			x.board(ts, e)
		}
	}
	x.include()
}

// occasion reports whether the preposition at token i says of object b when
// something is, or in what setting.
func occasion(ts []span, b *node, i int32) bool {
	event := b.class == classEvent || b.class == classAct
	return oneOf(occasions, ts[i].low) || event && oneOf(happenings, ts[i].low) || oneOf(times, ts[b.to-1].low) && oneOf(" at in on ", ts[i].low) ||
		ts[b.to-1].low == "setting" && ts[i].low == "in"
}

// happen moves an occasion from the last noun of a phrase to what the phrase is
// about, with its verb where that has no object of its own: "children play in the
// snow at sunset".
func (x *analysis) happen(ts []span, e *relation) {
	when := e.candidate.words[0]
	was := e.a
	e.a = int32(objectBefore(x, int(e.a), when))
	for range maxPhrase {
		k := x.into(e.a)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		f := x.edges[k]
		c := &f.candidate
		acts := isVerb(ts[c.words[0]].tag)
		if acts && ts[c.words[0]].tag == tagVBN && c.n == 1 {
			e.a = was
			return // "a horse drawn carriage"
		}
		if f.a = subject(ts, x, k); f.a < 0 {
			return
		}
		e.a = f.a
		if acts && c.n > 1 {
			e.candidate.n = 1
			for e.candidate.words[0] = c.words[0]; e.candidate.n < c.n-1 && ts[c.words[e.candidate.n]].tag == tagRP; e.candidate.n++ {
				e.candidate.words[e.candidate.n] = c.words[e.candidate.n]
			}
			e.candidate.words[e.candidate.n] = when
			e.candidate.n++
		}
		for j := k + 1; j < len(x.edges) && x.edges[j].b == f.b; j++ {
			if g := &x.edges[j]; g.candidate.words == c.words {
				x.added = append(x.added, relation{g.a, e.b, e.candidate})
			}
		}
		if acts {
			return
		}
	}
}

// backdrop reports whether a candidate says that something is before backdrop b.
func backdrop(ts []span, b *node, c *candidate) bool {
	first, last := ts[c.words[0]].low, ts[c.words[c.n-1]].low
	return oneOf(" backdrop background ", ts[b.to-1].low) && oneOf(" against on over ", last) &&
		(c.n == 1 || first == "isolated" || oneOf(postureVerbs, first))
}

// stand moves a backdrop from the last noun of a phrase to what the phrase is about,
// or to what the picture that it is about shows.
func (x *analysis) stand(ts []span, e *relation) {
	if c := &e.candidate; c.n == 1 && c.words[0] > 0 && ts[c.words[0]-1].low == "isolated" && !x.inNode[c.words[0]-1] {
		c.words[0], c.words[1], c.n = c.words[0]-1, c.words[0], 2
	}
	for range maxPhrase {
		k := x.into(e.a)
		if k < 0 || x.pictured(ts, k) {
			return
		}
		e.a = x.edges[k].a
	}
}

// board says of who rides, not of the wave or the trick, what they are on: "a man rides a wave
// on a surfboard".
func (x *analysis) board(ts []span, e *relation) {
	a := e.a
	for range maxPhrase {
		if !oneOf(ridden, ts[x.nodes[a].to-1].low) {
			break
		}
		k := x.into(a)
		if k < 0 {
			return
		}
		if a = subject(ts, x, k); a < 0 {
			return
		}
	}
	if x.nodes[a].alive {
		e.a = a
	}
}

// pictured reports whether relation k is that of a picture with what it shows.
func (x *analysis) pictured(ts []span, k int) bool {
	return oneOf(media, ts[x.nodes[x.edges[k].a].to-1].low)
}

// into is the first relation that words state between an object before object b and
// b, or -1.
func (x *analysis) into(b int32) int {
	for k := x.edgesFrom(int(b)); k < len(x.edges) && x.edges[k].b == b; k++ {
		if c := &x.edges[k].candidate; c.implied == 0 && !c.reversed && c.where == between {
			return k
		}
	}
	return -1
}

// strays reports whether what an attribute says is said of when or where something
// is, or of a noun that is no object, not of the object that the model gives it to:
// "clouds above a hill on a sunny day", "a cold wait for the bus", "nails for a fun look". A
// style or a condition is one of the object itself. What stands after "something" is said of that.
func (x *analysis) strays(ts []span, l link) bool {
	if l.object > l.attribute {
		return x.skips(ts, l)
	}
	n := &x.nodes[l.attribute]
	to := n.to
	for int(to)+2 < len(ts) && to < n.to+maxPair && goesOn(ts, to) {
		to += 2
	}
	if int(to) == len(ts) || x.inNode[to] || !isNoun(ts[to].tag) || oneOf(traits, ts[to].low) {
		return false
	}
	i, whole := n.from-1, false
	for i >= 0 && i > n.from-maxPair && (determines(&ts[i]) || ts[i].tag == tagJJ || ts[i].tag == tagRB || i > 0 && ts[i-1].tag == tagJJ && goesOn(ts, i)) {
		whole = whole || determines(&ts[i])
		i--
	}
	if i < 0 || ts[i].be || oneOf(" one ones today tonight yesterday ", ts[to].low) {
		return false // "burgers are a healthy option", "a pink one", "busy today"
	}
	return whole || ts[i].tag == tagIN || isVerb(ts[i].tag) || (ts[i].kind == mark || ts[i].tag == tagCC) && !ts[n.from].capital
}

// goesOn reports whether a conjunction or a comma and an adjective stand at token i.
func goesOn(ts []span, i int32) bool {
	return (ts[i].tag == tagCC || ts[i].tag == tagComma) && ts[i+1].tag == tagJJ
}

// skips reports whether another phrase begins between an attribute and the object after
// it that the model gives it to. What is of the object, or coordinated with it, does not
// count ("a large piece of cake", "an adult and a juvenile zebra"), nor a verb with its
// particle ("a cut in half sandwich", "a plastic take out container").
func (x *analysis) skips(ts []span, l link) bool {
	from, to := x.nodes[l.attribute].to, x.nodes[l.object].from
	if from < to && ts[from].tag == tagIN && (ts[from-1].tag == tagVBN || ts[from+1].low == "half") {
		return false
	}
	if to-from > 1 && oneOf(" in off out over up ", ts[to-1].low) && ts[to-2].flags&anyVerb != 0 {
		to -= 2
	}
	begins, joined, only := false, false, true
	for i := from; i < to; i++ {
		if x.inNode[i] {
			continue
		}
		t := &ts[i]
		switch {
		case begins && !joined && (t.low == "of" || t.measure):
			return true // "at a crowded event with lots of people"
		case t.low == "of":
			l := &ts[max(i-1, 0)]
			return i > from && !x.inNode[i-1] && isNoun(l.tag) && !oneOf(portions, l.low)
		case t.measure:
			return oneOf(" body bodies ", t.low)
		case t.tag == tagCC:
			joined = true
		case t.tag == tagDT:
			begins = true
		case t.tag == tagIN || t.tag == tagTO || t.tag == tagPRPS || isFinite(t):
			begins, only = true, false
		default:
			only = false
		}
	}
	return begins && !(joined && only)
}
