package ruleparse

// unglue makes verbs of what the tagger takes for the last noun of a compound: "the sun shines",
// "cattle graze in a field", "a family pose for a photo", "a table set for tea", "a sandwich cut
// in half".
func (x *analysis) unglue(ts []span) {
	for i := 1; i < len(ts); i++ {
		t := &ts[i]
		if !isNoun(t.tag) || t.capital || !isNoun(ts[i-1].tag) && ts[i-1].tag != tagJJ {
			continue
		}
		switch t.low {
		case "shines":
			if oneOf(shining, ts[i-1].low) && (endsVerb(ts, int32(i)+1) || ts[i+1].tag == tagRP) {
				x.makeVerb(ts, int32(i), tagVBZ)
			}
		case "cut":
			if i+2 < len(ts) && oneOf(" in into ", ts[i+1].low) && oneOf(shares, ts[i+2].low) {
				x.makeVerb(ts, int32(i), tagVBN)
			}
		case "set":
			if i+1 < len(ts) && (oneOf(" table tables ", ts[i-1].low) && oneOf(" for up with ", ts[i+1].low) || oneOf(" food pizza produce ", ts[i-1].low) && ts[i+1].low == "on") {
				x.makeVerb(ts, int32(i), tagVBN)
			}
		case "crane", "cross", "gather", "graze", "pose", "relax", "roam", "sleep", "travel", "wander":
			if t.tag == tagNN && x.acted(ts, int32(i)) {
				x.makeVerb(ts, int32(i), tagVBP)
			}
		}
	}
}

// What shines, and what something is cut into.
const (
	shining = " light lights moon sun "
	shares  = " 2 3 4 6 8 eight four half halves pieces quarters six slices three two "
)

// acted reports whether what stands before token i is somebody or a vehicle, or what several are
// in, and so does what that says: "men in costume pose for a picture", not "a man in a dance pose".
func (x *analysis) acted(ts []span, i int32) bool {
	if int(i)+1 == len(ts) || !endsVerb(ts, i+1) && !determines(&ts[i+1]) || ts[i+1].tag == tagCC {
		return false
	}
	l := &ts[i-1]
	if l.alive() || oneOf(agents, l.low) {
		return true
	}
	k := x.into(int32(x.nodeAt(i - 1)))
	if k < 0 || ts[x.edges[k].candidate.words[0]].low != "in" {
		return false
	}
	a := x.edges[k].a
	return ts[x.nodes[a].to-1].tag == tagNNS || x.conjunct(ts, int(a)) >= 0
}

// makeVerb makes a verb of token i and a word of the predicates that begin after it.
func (x *analysis) makeVerb(ts []span, i int32, as tag) {
	ts[i].tag = as
	if k := x.nodeAt(i); k >= 0 && x.nodes[k].to == i+1 && x.nodes[k].from < i && !x.nodes[k].attribute {
		x.nodes[k] = makeNode(ts, int(x.nodes[k].from), int(i), false)
		x.inNode[i] = false
	}
	for k := range x.edges {
		if c := &x.edges[k].candidate; c.forward() && c.n < maxPredicate && c.words[0] == i+1 {
			copy(c.words[1:], c.words[:c.n])
			c.words[0] = i
			c.n++
		}
	}
}
