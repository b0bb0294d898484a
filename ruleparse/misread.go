package ruleparse

// misread reports whether grammar rules out what an edge says:
//
//   - a verb in the singular has the object just before it as its subject, not one
//     of a clause before: "a man rides a horse and a woman holds a dog";
//   - an object that begins a clause of its own is not the object of a verb before.
func misread(ts []span, x *analysis, e *relation) bool {
	c := &e.candidate
	if c.implied != 0 {
		return false
	}
	verb := c.words[0]
	if ts[verb].tag == tagVBZ && !c.reversed {
		if m := objectBefore(x, int(e.a), verb); m > int(e.a) && coordinated(ts, x, m) {
			return true
		}
	}
	b := &x.nodes[e.b]
	finite := int(b.to) < len(ts) && ts[b.to].tag == tagVBZ && !ts[b.to].be
	return finite && verb < b.from && isVerb(ts[verb].tag) && coordinated(ts, x, int(e.b))
}

// objectBefore is the last object after node a that ends at or before token i.
func objectBefore(x *analysis, a int, i int32) int {
	m := a
	for k := a + 1; k < len(x.nodes) && x.nodes[k].to <= i; k++ {
		if !x.nodes[k].attribute {
			m = k
		}
	}
	return m
}

// coordinated reports whether a conjunction or a comma stands before object m,
// its attributes and its article.
func coordinated(ts []span, x *analysis, m int) bool {
	i := x.nodes[m].from
	for k := m - 1; k >= 0 && x.nodes[k].attribute && x.nodes[k].to == i; k-- {
		i = x.nodes[k].from
	}
	if i > 0 && (ts[i-1].tag == tagDT || ts[i-1].tag == tagPRPS) {
		i--
	}
	return i > 0 && (ts[i-1].tag == tagCC || ts[i-1].tag == tagComma || ts[i-1].low == "while" || ts[i-1].low == "as")
}

// animateVerbs are participles whose subject is alive.
const animateVerbs = " riding wearing holding carrying walking running eating drinking playing jumping skiing surfing skating snowboarding talking smiling swinging throwing catching reading watching using kicking hitting sleeping posing feeding cutting cooking "

// classArtifact is WordNet's lexicographer file of things that were made.
const classArtifact = 6

// subject is the node that an edge is said of: the model's, unless a pronoun or
// grammar says another; -1 where a pronoun stands for nothing that is sure.
func subject(ts []span, x *analysis, e *relation) int32 {
	if c := &e.candidate; c.implied == 0 && !c.reversed && c.words[0] > 0 {
		verb := c.words[0]
		if pronoun := verb - 1; ts[pronoun].tag == tagPRP && isVerb(ts[verb].tag) && !x.inNode[pronoun] && pronoun >= x.nodes[e.a].to {
			return int32(referent(ts, x, &ts[pronoun], objectBefore(x, -1, pronoun)+1))
		}
	}
	return wearer(ts, x, e)
}

// wearer is who a participle is said of where what stands before it is a thing
// that a person or an animal wears or holds: "a man wearing a hat riding a horse".
// It is node a itself where that is not so.
func wearer(ts []span, x *analysis, e *relation) int32 {
	c := &e.candidate
	if c.implied != 0 || c.reversed || x.nodes[e.a].class != classArtifact || c.words[0] != x.nodes[e.a].to || !oneOf(animateVerbs, ts[c.words[0]].low) {
		return e.a
	}
	for i := len(x.edges) - 1; i >= 0; i-- {
		f := &x.edges[i]
		if class := x.nodes[f.a].class; f.b == e.a && !f.candidate.reversed && (class == classPerson || class == classAnimal) {
			return f.a
		}
		if f.b < e.a {
			break
		}
	}
	return e.a
}
