package ruleparse

// attached is what edge i is said of: a place beside something is that of whoever is
// somewhere or holds something, not of where they are or what they hold: "a man at a
// table in front of a laptop", "a boy holding a bat next to a base". What is said of a
// picture after what it shows is said of that: "a picture of a desk with a keyboard", and so is
// what stands right after the furniture of a room. What food with something on it is on is said of
// the food.
func (x *analysis) attached(ts []span, i int) int32 {
	e := &x.edges[i]
	if m := x.depicted(ts, e); m >= 0 {
		return m
	}
	if !aside(ts, &e.candidate) || e.candidate.words[0] != x.nodes[e.a].to {
		return e.a
	}
	k := x.into(e.a)
	if k < 0 {
		return e.a
	}
	f := &x.edges[k]
	n := &x.nodes[e.a]
	verb := &ts[f.candidate.words[0]]
	switch last := ts[f.candidate.words[f.candidate.n-1]].low; {
	case n.alive || n.class == classBody || x.pictured(ts, k):
		return e.a
	case oneOf(" across along at down in on through ", last):
		if n.class != classArtifact && !oneOf(" table tables ", ts[n.to-1].low) || oneOf(ways, ts[n.to-1].low) && !x.moves(ts, e.b) {
			return e.a
		}
	case !isVerb(verb.tag) || f.candidate.n > 1 || oneOf(regards, verb.low) || x.nodes[e.b].class == classBody:
		return e.a // "a road behind a car", "holding a phone near her face"
	}
	a := subject(ts, x, k)
	if antecedent(ts, x, int(e.b)) == int(a) {
		return e.a // "rolling his luggage behind him"
	}
	return a
}

// ways are things as wide as what stands beside them: "a road next to a field".
const ways = " bridge court dock field path pier platform railway ramp road roads runway sidewalk station street streets track tracks trail "

// moves reports whether object b is somebody, or a vehicle: "a truck on a street behind
// a car".
func (x *analysis) moves(ts []span, b int32) bool {
	n := &x.nodes[b]
	return n.alive || oneOf(agents, ts[n.to-1].low)
}

// regards are verbs of which the object is where something else is said to be.
const regards = " approaching has have overlooking passes passing photographing sees seeing showing shown shows surrounding watches watching "

// places reports whether a candidate says where something is.
func places(ts []span, c *candidate) bool {
	first := &ts[c.words[0]]
	if oneOf(postureVerbs, first.low) || first.low == "placed" {
		return true
	}
	return oneOf(" at atop behind beside by in inside near next on outside under ", first.low)
}

// aside reports whether a candidate says that something is beside another.
func aside(ts []span, c *candidate) bool {
	first, last := ts[c.words[0]].low, ts[c.words[c.n-1]].low
	switch c.n {
	case 1:
		return oneOf(" behind beside near ", first)
	case 2:
		return first == "next" && last == "to"
	case 3:
		return first == "in" && last == "of" && ts[c.words[1]].low == "front"
	}
	return false
}

// depicted is what the picture shows that e says something of, after it has said what
// it shows; -1 where e is no such relation, or says where the picture hangs.
func (x *analysis) depicted(ts []span, e *relation) int32 {
	if !oneOf(media, ts[x.nodes[e.a].to-1].low) || oneOf(backdrops, ts[x.nodes[e.b].to-1].low) {
		return -1
	}
	first := e.candidate.words[0]
	if oneOf(picturing, ts[first].low) {
		return -1
	}
	m := objectBefore(x, int(e.a), first)
	for k := m; k > int(e.a); k-- {
		for _, f := range x.edgesOf(k) {
			if f.a == e.a && f.candidate.implied == 0 && f.candidate.n == 1 && ts[f.candidate.words[0]].low == "of" && f.candidate.words[0] < first {
				return int32(k)
			}
		}
	}
	return -1
}

// backdrops are where pictures are, and picturing what is done with them.
const (
	backdrops = " album backdrop background book cover frame page paper screen wall walls website "
	picturing = " above by displayed drawn framed hanging hangs hung made mounted of on-display over painted placed printed projected shot showing shows taken "
)
