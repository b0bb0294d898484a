package ruleparse

// passive says of who undergoes something by whom or by what it is done, where the model says so of
// what stands between: "a surfer has been tossed from his board by a wave".
func (x *analysis) passive(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c, n := &e.candidate, &x.nodes[e.b]
		if !c.forward() || c.n != 1 || ts[c.words[0]].low != "by" || c.words[0] != x.nodes[e.a].to {
			continue
		}
		i := x.into(e.a)
		if i < 0 {
			continue
		}
		f := &x.edges[i]
		verb, last := f.candidate.words[0], ts[n.to-1].low
		if ts[verb].tag != tagVBN || verb == 0 || oneOf(situated, ts[verb].low) {
			continue
		}
		if oneOf(means, last) || ts[verb-1].be && (n.alive || n.class == classBody || oneOf(agents, last)) {
			e.a, c.n = f.a, 2
			c.words[0], c.words[1] = verb, c.words[0]
		}
	}
}

// means are things by which something is held or moved, situated participles that need nobody who
// did it.
const (
	means    = " cable cables chain chains cord cords leash rope ropes string strings sunshine wave waves wind wire wires "
	situated = " located parked perched placed seated situated standing stopped surrounded "
)
