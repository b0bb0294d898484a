package ruleparse

import (
	"slices"

	"capgraph/schemas"
)

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

// reach keeps a predicate from objects that are not its own:
//
//   - what has an object after it says nothing of one before its subject: "the monks clean
//     a garden at a temple" has no garden at the monks. Only in a relative clause it does, by
//     its verb: "the dress that the actor wore in a movie";
//   - before both its objects stands a preposition of something that follows, "inside the
//     box is a ring", and no verb: "holding a cup with both hands".
func (x *analysis) reach(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		switch {
		case c.implied != 0 || c.n == 0:
		case c.where == after && c.reversed && x.spoken(ts, c):
			if relates(&ts[x.nodes[e.a].to]) && isVerb(ts[c.words[0]].tag) {
				c.n = 1
			} else {
				c.n = 0
			}
		}
	}
	x.strip(ts)
}

// spoken reports whether the words of c have an object after them, or a noun that may be.
func (x *analysis) spoken(ts []span, c *candidate) bool {
	last := c.words[c.n-1]
	for i := last + 1; int(i) < len(ts) && i < last+maxPair; i++ {
		switch t := &ts[i]; {
		case x.inNode[i]:
			if k := x.nodeAt(i); k < 0 || !x.nodes[k].attribute {
				return t.tag != tagPRP
			}
		case isNoun(t.tag):
			return !oneOf(parts, t.low)
		case !determines(t) && t.tag != tagCD && t.tag != tagJJ:
			return false
		}
	}
	return false
}

// part gives an object to the preposition or the verb that stands between it and the object
// before it, where the model has both in one relation: "a man riding on a bus in a park". What
// is owned is in the relation, and not who owns it: "holding a child's hand".
func (x *analysis) part(ts []span) {
	for k := range x.edges {
		e := &x.edges[k]
		c := &e.candidate
		if !c.forward() || c.n == 0 {
			continue
		}
		last := c.words[c.n-1]
		for m := x.previous(int(e.b)); m > int(e.a) && x.nodes[m].from > last; m = x.previous(m) {
			own := x.edgesOf(m)
			same := slices.IndexFunc(own, func(f relation) bool { return f.a == e.a && f.candidate.words == c.words && f.candidate.n == c.n })
			if same < 0 {
				continue
			}
			to := x.nodes[m].to
			switch said, ok := x.stated(ts, to, int(e.b)); {
			case !x.governed(ts, to, x.begins(int(e.b))):
			case ts[to].tag == tagPOS:
				own[same].candidate.n = 0
			case ok && len(x.edgesOf(int(e.b))) == 1:
				e.a, *c = int32(m), said
			default:
				c.n = 0
			}
			break
		}
	}
	x.strip(ts)
}

// governed reports whether a preposition or a verb stands among the tokens from from up to to,
// or "'s" at the first, and nothing by which an object is one more.
func (x *analysis) governed(ts []span, from, to int32) bool {
	found := false
	for i := from; i < to; i++ {
		t := &ts[i]
		switch {
		case x.inNode[i]:
		case t.tag == tagCC || t.kind == mark && t.tag != tagPeriod || oneOf(" as including plus with ", t.low):
			return false
		case t.tag == tagIN || t.tag == tagTO || t.tag == tagWDT || t.tag == tagWP || t.tag == tagPOS && i == from || isVerb(t.tag):
			found = true
		}
	}
	return found
}

// animate reports whether a participle says what only somebody alive does, as far as
// captions go. These are verbs of which WordNet's first sense has a person for its
// subject, or of which captions have one, but those that vehicles, shops and signs do too.
func animate(participle string) bool {
	switch participle {
	case "aiming", "applauding", "attacking", "attempting", "attending", "barking", "bathing", "batting", "begging", "biking", "biting", "bowing",
		"bowling", "browsing", "brushing", "buying", "camping", "carrying", "carving", "catching", "celebrating", "chasing", "chatting", "checking", "cheering",
		"chewing", "clapping", "cleaning", "climbing", "coaching", "competing", "cooking", "crouching", "cuddling", "cutting", "cycling", "dancing",
		"digging", "dining", "disembarking", "doing", "drinking", "driving", "eating", "enjoying", "entwining", "examining", "exercising", "feeding",
		"fetching", "fighting", "filming", "fishing", "fixing", "frolicking", "frying", "galloping", "gazing", "gesturing", "giving", "grabbing",
		"grazing", "greeting", "grinning", "gripping", "grooming", "guiding", "helping", "herding", "hiking", "hitting", "holding", "hopping", "hugging",
		"hunting", "inspecting", "interacting", "interviewing", "jogging", "juggling", "jumping", "kayaking", "kicking", "kissing", "knitting", "laughing",
		"leaping", "licking", "listening", "looking", "lounging", "making", "marching", "meditating", "motioning", "munching", "napping", "nibbling",
		"nuzzling", "observing", "operating", "paddling", "peeing", "peering", "performing", "petting", "photographing", "pitching", "playing", "poking",
		"posing", "practicing", "practising", "praying", "preparing", "pulling", "pushing", "putting", "reading", "relaxing", "resting", "riding", "rowing",
		"rubbing", "running", "saluting", "scratching", "selecting", "selling", "serving", "sewing", "shaking", "sharing", "shaving", "singing", "sipping",
		"skateboarding", "skating", "skiing", "sledding", "sleeping", "smelling", "smiling", "smoking", "snacking", "sniffing", "snorkeling", "snowboarding",
		"speaking", "squatting", "staring", "steering", "stepping", "strolling", "surfing", "sweeping", "swimming", "swinging", "tackling", "taking", "talking",
		"teaching", "tending", "texting", "throwing", "tossing", "trotting", "typing", "using", "visiting", "wading", "walking", "wandering", "washing",
		"watching", "wearing", "whispering", "whistling", "windsurfing", "wiping", "working", "wrestling", "yawning":
		return true
	}
	return false
}

// boards reports whether a candidate says that somebody is in or on something.
func (c *candidate) boards(ts []span) bool {
	return slices.ContainsFunc(c.words[:c.n], func(i int32) bool { return oneOf(aboard, ts[i].low) })
}

// relates reports whether t can be a relative pronoun.
func relates(t *span) bool { return t.tag == tagWDT || t.tag == tagWP || t.low == "that" }

// addPredicated adds an attribute unless the object has it.
func addPredicated(low string, ts []span, from, to int32, o *schemas.Object) {
	addSpoken(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: schemas.Post, Begin: ts[from].begin, End: ts[to-1].end})
}

// addSpoken adds an attribute unless the object has one that is in part of the same words.
func addSpoken(o *schemas.Object, a schemas.Attribute) {
	for _, b := range o.Attributes {
		if b.Begin < a.End && a.Begin < b.End {
			return
		}
	}
	insertAttribute(o, a)
}

// intransitive adds what an object does at the end of a clause, where the model left that out:
// "while a crowd watches", "a man in a suit is cooking", "a train with people watching".
func (b *building) intransitive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.nodes {
		n := &x.nodes[i]
		if n.attribute || int(n.to) == len(ts) || x.inNode[n.to] {
			continue
		}
		verb := progressive(ts, n.to)
		if x.inNode[verb] {
			continue
		}
		finite := verb > n.to || acting(&ts[verb])
		if !finite && !participates(ts, n) {
			continue
		}
		end := verb + 1
		if int(end) < len(ts) && !x.inNode[end] && oneOf(particles, ts[end].low) {
			end++
		}
		if !x.concludes(ts, end) {
			continue
		}
		a := int32(i)
		if finite || !n.alive {
			a = phraseHead(ts, x, a, x.edgesFrom(i+1), n.to)
		}
		if at[a] >= 0 && !x.said(i, verb) {
			addPredicated(low, ts, verb, end, &g.Objects[at[a]])
		}
	}
}

// progressive is the participle of a verb that begins at token i, "is cooking", or i.
func progressive(ts []span, i int32) int32 {
	for verb := i + 1; int(verb) < len(ts) && ts[i].be && ts[i].tag != tagVBG; verb++ {
		switch t := &ts[verb]; {
		case t.tag == tagVBG && !t.be && !oneOf(transitive, t.low):
			return verb
		case t.tag != tagRB || t.low == "not" || t.low == "n't":
			return i
		}
	}
	return i
}

// participates reports whether a participle after object n says what it does: that of somebody,
// "with people watching", or one before a comma or "while".
func participates(ts []span, n *node) bool {
	t, next := &ts[n.to], &border
	if t.tag != tagVBG || oneOf(transitive, t.low) {
		return false
	}
	if int(n.to)+1 < len(ts) {
		next = &ts[n.to+1]
	}
	return n.alive && (n.person || n.class == classGroup || several(&ts[n.to-1]) || next.tag == tagComma) || next.low == "while"
}

// said reports whether the verb at token i, right after object k, is the first word of a
// relation.
func (x *analysis) said(k int, i int32) bool {
	for _, e := range x.edges[x.edgesFrom(k):x.edgesFrom(k+maxNeighbour+1)] {
		if e.candidate.implied == 0 && e.candidate.words[0] == i {
			return true
		}
	}
	return false
}

// acting reports whether t is a verb by which somebody or something does something.
func acting(t *span) bool {
	return (t.tag == tagVBZ || t.tag == tagVBP || t.tag == tagVB) && !t.be && t.flags&anyVerb != 0 && !oneOf(transitive, t.low)
}
