package ruleparse

import "slices"

// clauses keeps relations within their clause: what stands before "while" says nothing
// of what comes after it, nor what stands before a verb after a conjunction or right before
// a comma, nor a preposition that has a pronoun of its own. Where words after such a mark say
// something of the object they are its predicate: "a man wiping his brow while bouncing
// a ball", "a cat sleeping on it next to a bear".
func (x *analysis) clauses(ts []span) {
	crossed := false
	x.added = x.added[:0]
	var was, now relation // the last that was mended, as it was and as it is
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() || c.words[0] < x.nodes[e.a].to {
			continue
		}
		if k := slices.IndexFunc(c.words[:c.n], func(i int32) bool { return ts[i].low == "while" }); k >= 0 {
			c.n = uint8(copy(c.words[:], c.words[k+1:c.n]))
			crossed = crossed || c.n == 0
			continue
		}
		if end := c.words[c.n-1] + 1; ts[end].tag == tagComma && ts[end-1].tag != tagJJ {
			c.n, crossed = 0, true // "people standing, tree, sky"
			continue
		}
		mark := x.mark(ts, c, e.b)
		if mark < 0 {
			continue
		}
		said, ok := x.stated(ts, mark+1, int(e.b))
		switch {
		case ok && ts[mark].tag == tagCC && said.n == 1 && ts[mark+1].tag == tagVBG && !isVerb(ts[c.words[0]].tag):
			continue // "with a large window and sitting area"
		case ok && ts[mark].tag == tagCC && c.words[c.n-1] == mark-1 && (c.n > 1 || said.n == 1 && !oneOf(resting, ts[c.words[0]].low)):
			x.added = append(x.added, relation{e.a, e.b, said}) // "holding and kissing her cat"
		case ok && (ts[mark].tag != tagIN || ts[mark].low == "while" || isVerb(ts[said.words[0]].tag)):
			was, now = *e, relation{e.a, e.b, said}
			*c = said
		case now.candidate.n > 0 && e.a == was.a && c.words == was.candidate.words && objectBefore(x, 0, x.begins(int(e.b))) == int(now.b):
			now.b = e.b // "has lettuce, tomatoes and carrots"
			*c = now.candidate
		case ts[mark].low == "as" && c.words[c.n-1] == mark-1 && c.n < maxPredicate && (ts[c.words[0]].tag == tagVBN || !acts(ts, &x.nodes[e.b])):
			c.words[c.n] = mark
			c.n++
		default:
			c.n, crossed = 0, true
		}
	}
	if crossed {
		x.strip(ts)
	}
	x.include()
}

// resting are verbs that have no object.
const resting = " lay laying lays lie lies lying rest resting rests sit sits sitting stand standing stands "

// mark is the last token between the words of c and object b that ends the clause of c,
// or -1.
func (x *analysis) mark(ts []span, c *candidate, b int32) int32 {
	begin := x.begins(int(b))
	for i := begin - 1; i > c.words[c.n-1]; i-- {
		t := &ts[i]
		switch {
		case x.inNode[i]:
		case t.low == "while" || t.low == "as" && t.tag == tagIN && !oneOf(" such well ", ts[i-1].low):
			return i
		case t.tag == tagCC && isVerb(ts[i+1].tag) && ts[i+1].low != "including" && !x.inNode[i+1]:
			return i
		case t.tag == tagPRP && oneOf(" her him it me them us ", t.low) && ts[i+1].kind != clitic && prepositions(&ts[i-1]) && ts[i-1].tag != tagRP && i+1 < begin:
			return i
		}
	}
	return -1
}
