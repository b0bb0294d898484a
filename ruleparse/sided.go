package ruleparse

// sided keeps what comes after a place at which something is, and a conjunction, from being such
// a place too: "a pile with a hydrant in the middle and a bicycle" is with both, and the hydrant
// in no bicycle.
func (x *analysis) sided(ts []span) {
	found := false
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() || c.n == 0 || ts[c.words[c.n-1]].tag != tagIN || !x.besides(ts, c.words[c.n-1], x.begins(int(e.b))) || oneOf(spots, ts[x.nodes[e.b].to-1].low) {
			continue
		}
		f := x.into(e.a)
		if m := x.into(int32(objectBefore(x, int(e.a), c.words[c.n-1]))); m >= 0 && x.edges[m].a == e.a && ts[x.edges[m].candidate.words[0]].low != "of" {
			f = m // "a pizza with herbs on one half and broccoli"
		}
		b := &x.nodes[e.b]
		if bare := x.begins(int(e.b)) == b.from && ts[b.from-1].tag == tagCC && x.concludes(ts, b.to); f >= 0 && !bare {
			e.a, *c = x.edges[f].a, x.edges[f].candidate
		} else {
			c.n = 0 // "graphics on the side and windows"
		}
		found = true
	}
	if found {
		x.strip(ts)
	}
}

// besides reports whether a place and a conjunction or a comma stand between the preposition at
// token i and token to, and no words that say something, nor "the" at the end: "graphics on the
// side and the windows".
func (x *analysis) besides(ts []span, i, to int32) bool {
	first := i
	for i++; i < to && (determines(&ts[i]) || ts[i].tag == tagCD || ts[i].low == "either"); i++ {
	}
	if i+1 >= to || !oneOf(spots, ts[i].low) || i == first+1 && ts[i].low == "half" || ts[to-1].low == "the" {
		return false
	}
	if i++; ts[i].tag != tagCC && ts[i].tag != tagComma {
		return false
	}
	for ; i < to; i++ {
		if t := &ts[i]; !x.inNode[i] && (isVerb(t.tag) || t.be) {
			return false
		}
	}
	return true
}
