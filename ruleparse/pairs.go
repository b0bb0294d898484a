package ruleparse

// related reports whether nodes a and b are near enough to be related: in one
// sentence, few tokens and few nodes apart.
func related(ts []span, nodes []node, a, b int) bool {
	return b-a <= maxNeighbour && nodes[b].from-nodes[a].to <= maxPair && !stops(ts, int(nodes[a].to), int(nodes[b].from))
}

// stops reports whether a sentence, or a title before a colon, ends between tokens
// from and to.
func stops(ts []span, from, to int) bool {
	for i := from; i < to; i++ {
		if ts[i].tag == tagPeriod || ts[i].low == ";" || ts[i].low == ":" {
			return true
		}
	}
	return false
}

// leftBound is the end of the object before node a, rightBound the begin of the
// object after node b: words beyond belong to others.
func leftBound(nodes []node, a int) int {
	for i := a - 1; i >= 0; i-- {
		if !nodes[i].attribute {
			return int(nodes[i].to)
		}
	}
	return 0
}

func rightBound(nodes []node, b, length int) int {
	for i := b + 1; i < len(nodes); i++ {
		if !nodes[i].attribute {
			return int(nodes[i].from)
		}
	}
	return length
}

// pairContext is what is seen of two objects before a candidate is considered.
type pairContext struct {
	features [24]uint32 // each is joined with each candidate

	kept, tags, words, classes uint32 // hashes of what lies between

	distance   uint32 // objects between, at most 3
	verbs      uint32 // verbs between, at most 3
	last       uint32 // class of the last object between
	rival      uint32 // class of what the first object is related to, or stands after, and how
	rivalClass uint32
	rivalHead  uint32
	history    history
}

// none is the candidate of no relation.
const none = 0x7feb352d

// noNode stands where there is no object.
var noNode node

func bucket(n int) uint32 {
	switch {
	case n <= 4:
		return uint32(n)
	case n <= 6:
		return 5
	case n <= 10:
		return 6
	case n <= 16:
		return 7
	}
	return 8
}

// collect fills in what lies between nodes[a] and nodes[b] and around them.
func (c *pairContext) collect(ts []span, x *analysis, a, b int) {
	nodes := x.nodes
	first, second := &nodes[a], &nodes[b]
	var tags, words, classes, kept, lastHead uint32
	c.distance, c.verbs, c.last = 0, 0, 0
	next := a + 1
	for i := first.to; i < second.from; {
		for next < b && nodes[next].from < i {
			next++
		}
		if next < b && nodes[next].from == i {
			n := &nodes[next]
			if !n.attribute {
				tags, words, classes = blend(tags, 77), blend(words, 77), blend(classes, n.class)
				c.distance = min(3, c.distance+1)
				lastHead, c.last = n.head, n.class
			} else {
				words = blend(words, 78)
			}
			i = n.to
			continue
		}
		t := &ts[i]
		i++
		switch {
		case t.tag == tagDT || t.tag == tagPRPS:
			if t.tag == tagPRPS {
				words = blend(words, t.hash)
			}
		case t.tag == tagIN || t.tag == tagCC || t.tag == tagTO || t.tag == tagComma || t.tag == tagWDT || t.tag == tagWP || t.tag == tagRP || t.tag == tagPOS || t.be:
			tags, words, classes = blend(tags, uint32(t.tag)), blend(words, t.lemma), blend(classes, t.lemma)
		default:
			if isVerb(t.tag) {
				c.verbs = min(3, c.verbs+1)
			}
			tags, words, classes = blend(tags, uint32(t.tag)), blend(words, uint32(t.tag)), blend(classes, uint32(t.tag))
		}
		if !silent(t) {
			kept = blend(kept, t.lemma)
		}
	}
	c.kept, c.tags, c.words, c.classes = kept, tags, words, classes
	c.history.look(ts, x.edges, int32(a), int32(b))
	c.findRival(ts, x, a)
	prev, follow := leftOf(ts, first), rightOf(ts, second)
	d := bucket(int(second.from - first.to))
	pair := first.class<<8 | second.class
	state := c.history.state()
	heads := blend(first.head, second.head)
	c.features = [...]uint32{
		mix(200), blend(201, first.head), blend(202, second.head), blend(203, heads), blend(204, pair),
		blend(205, kept), blend(206, tags), blend(207, words), blend(208, c.distance<<8|d), blend(209, blend(first.head, kept)),
		blend(210, blend(second.head, kept)), blend(211, blend(classes, pair)), blend(212, blend(lastHead, second.head)),
		blend(213, blend(words, follow.lemma)), blend(214, blend(words, prev.lemma)), blend(215, blend(words, pair)), blend(216, blend(first.name, second.name)),
		blend(217, blend(blend(kept, words), first.class)), blend(218, blend(blend(kept, words), second.class)),
		blend(220, state), blend(221, blend(state, tags)), blend(222, blend(state, words)), blend(223, blend(state, second.head)), blend(224, blend(state, heads)),
	}
}

// findRival finds what may stand in the place of the first object, nodes[a]: the
// object that it is related to, or the one before it.
func (c *pairContext) findRival(ts []span, x *analysis, a int) {
	rival, how := &noNode, uint32(0)
	for i := a - 1; i >= max(0, a-maxNeighbour); i-- {
		if !x.nodes[i].attribute {
			rival, how = &x.nodes[i], 1
			break
		}
	}
	for i := len(x.edges) - 1; i >= 0 && int(x.edges[i].b) >= a; i-- {
		if e := &x.edges[i]; int(e.b) == a {
			rival, how = &x.nodes[e.a], sort(ts, &e.candidate)+2
		}
	}
	c.rival, c.rivalClass, c.rivalHead = how<<8|rival.class, rival.class, rival.head
}

// leftOf and rightOf are the tokens next to a node.
func leftOf(ts []span, n *node) *span {
	if n.from == 0 {
		return &border
	}
	return &ts[n.from-1]
}

func rightOf(ts []span, n *node) *span {
	if int(n.to) == len(ts) {
		return &border
	}
	return &ts[n.to]
}

func isVerb(t tag) bool { return t >= tagVB && t <= tagVBZ }

// appendNone appends the features of no relation.
func (c *pairContext) appendNone(f []uint32) []uint32 {
	for _, h := range c.features {
		f = append(f, h^none)
	}
	return f
}

// direction is on which side of its objects a candidate stands and which way it
// reads.
func (k *candidate) direction() uint32 {
	d := uint32(k.where) << 1
	if k.reversed {
		d |= 1
	}
	return d
}

// key is the hash of a candidate's words with its direction.
func (k *candidate) key() uint32 {
	if k.implied != 0 {
		return blend(blend(k.hash, 0x1b873593), k.direction())
	}
	return blend(k.hash, k.direction())
}

// shape is the hash of the tags of a candidate's words with its direction.
func (k *candidate) shape(ts []span) uint32 {
	h := k.direction()
	for _, w := range k.words[:k.n] {
		h = blend(h, uint32(ts[w].tag))
	}
	return h
}

// appendCandidate appends the features of candidate k.
func (c *pairContext) appendCandidate(ts []span, nodes []node, a, b int, k *candidate, f []uint32) []uint32 {
	x, y := &nodes[a], &nodes[b]
	direction, key, shape := k.direction(), k.key(), k.shape(ts)
	for _, g := range c.features {
		f = append(f, g^key)
	}
	var place, whole, verb uint32
	if k.implied == 0 {
		first, last := k.words[0], k.words[k.n-1]
		l, r := &border, &border
		if first > 0 {
			l = &ts[first-1]
		}
		if int(last)+1 < len(ts) {
			r = &ts[last+1]
		}
		var from, to uint32
		for i := a + 1; i < b; i++ {
			if n := &nodes[i]; !n.attribute {
				if n.to <= first {
					from++
				} else if n.from > last {
					to++
				}
			}
		}
		place = min(from, 3)<<2 | min(to, 3)
		if k.whole {
			whole = 1
		}
		around := uint32(l.tag)<<8 | uint32(r.tag)
		verb = blend(ts[first].lemma, direction)
		ends := blend(ts[last].lemma, direction)
		f = append(f,
			blend(260, around<<4|direction), blend(261, blend(key, around)), blend(262, blend(key, l.lemma)), blend(263, blend(key, r.lemma)),
			blend(264, uint32(last-first)-uint32(k.n-1)<<4|direction), blend(265, blend(shape, around)), blend(266, blend(verb, place)),
			blend(267, blend(verb, x.head)), blend(268, blend(ends, y.head)), blend(269, blend(ends, x.head)),
			blend(270, place<<8|bucket(int(first-x.to))<<4|bucket(int(y.from-last))), blend(292, blend(verb, blend(c.rival, x.class))), blend(295, blend(verb, c.rivalHead)),
		)
	}
	used, state := c.history.uses(k, int32(a), int32(b)), c.history.state()
	there := blend(shape, place)
	lone := place<<1 | whole
	return append(f,
		blend(250, shape), blend(251, blend(there, whole)), blend(252, blend(there, c.verbs<<4|c.distance)),
		blend(253, blend(shape, x.class<<8|y.class)), blend(254, blend(key, lone)), blend(255, blend(c.tags, there)),
		blend(256, blend(c.words, there)), blend(257, blend(there, blend(c.classes, x.class<<8|y.class))),
		blend(258, lone<<4|direction), blend(259, blend(key, x.class)), blend(271, blend(key, y.class)),
		blend(280, used<<4|direction), blend(281, blend(used, shape)), blend(282, blend(c.words, used<<4|direction)), blend(283, blend(used, key)),
		blend(284, blend(used, there)), blend(285, blend(used<<16|state, shape)), blend(286, blend(x.head, used<<4|direction)), blend(287, blend(state, there)),
		blend(290, blend(shape, blend(c.rival, x.class))), blend(291, blend(shape, c.rivalClass<<8|x.class)),
		blend(296, blend(shape, c.last<<16|x.class<<8|y.class)), blend(298, blend(shape, blend(state, c.last<<8|x.class))),
	)
}

// appendLink appends the features of attribute nodes[k] being of object nodes[o].
func appendLink(ts []span, nodes []node, k, o int, f []uint32) []uint32 {
	x, y := &nodes[k], &nodes[o]
	lo, hi, order := k, o, uint32(0)
	if o < k {
		lo, hi, order = o, k, 1
	}
	var tags, words, objects uint32
	next := lo + 1
	for i := nodes[lo].to; i < nodes[hi].from; {
		for next < hi && nodes[next].from < i {
			next++
		}
		if next < hi && nodes[next].from == i {
			n := &nodes[next]
			if n.attribute {
				tags, words = blend(tags, 78), blend(words, 78)
			} else {
				tags, words = blend(tags, 77), blend(words, 77)
				objects++
			}
			i = n.to
			continue
		}
		t := &ts[i]
		i++
		tags = blend(tags, uint32(t.tag))
		if t.tag != tagDT {
			words = blend(words, t.lemma)
		}
	}
	prev, follow := &border, &border
	if x.from > 0 {
		prev = &ts[x.from-1]
	}
	if int(x.to) < len(ts) {
		follow = &ts[x.to]
	}
	t := uint32(ts[x.to-1].tag)<<8 | order
	d := bucket(int(nodes[hi].from-nodes[lo].to))<<4 | min(objects, 3)<<1 | order
	return append(f,
		blend(300, order), blend(301, d), blend(302, blend(tags, order)), blend(303, blend(words, order)),
		blend(304, blend(x.head, order)), blend(305, blend(y.head, order)), blend(306, blend(x.head, y.head)),
		blend(307, blend(tags, t)), blend(308, blend(words, blend(x.head, order))), blend(309, blend(words, blend(y.head, order))),
		blend(310, blend(d, t)), blend(311, blend(d, x.head)), blend(312, blend(tags, x.class<<8|y.class)<<1|order), blend(313, blend(d, y.head)),
		blend(314, blend(blend(tags, prev.lemma), t)), blend(315, blend(blend(tags, follow.lemma), t)), blend(316, blend(words, t)),
		blend(317, blend(blend(words, uint32(prev.tag)<<8|uint32(follow.tag)), t)), blend(318, blend(d, uint32(prev.tag)<<8|uint32(follow.tag))),
	)
}

// linkable reports whether nodes[k] may be an attribute of nodes[o].
func linkable(ts []span, nodes []node, k, o int) bool {
	lo, hi := min(k, o), max(k, o)
	return hi-lo <= maxNeighbour && nodes[hi].from-nodes[lo].to <= maxPair && !stops(ts, int(nodes[lo].to), int(nodes[hi].from))
}
