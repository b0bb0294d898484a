package ruleparse

// related reports whether nodes a and b are near enough to be related: in one
// sentence, few tokens and few nodes apart.
func related(ts []span, nodes []node, a, b int) bool {
	return b-a <= maxNeighbour && nodes[b].from-nodes[a].to <= maxPair && !stops(ts, int(nodes[a].to), int(nodes[b].from))
}

// stops reports whether a sentence ends between tokens from and to.
func stops(ts []span, from, to int) bool {
	for i := from; i < to; i++ {
		if ts[i].tag == tagPeriod || ts[i].low == ";" {
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
	features [28]uint32
	n        int
	distance uint32 // objects between, at most 3
	verbs    uint32 // verbs between, at most 3
	history  history
}

// none is the candidate of no relation.
const none = 0x7feb352d

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

// context collects what lies between nodes[a] and nodes[b] and around them.
func (c *pairContext) collect(ts []span, nodes []node, inNode []bool, a, b int) {
	x, y := &nodes[a], &nodes[b]
	var tags, words, classes, kept, last uint32
	c.distance, c.verbs = 0, 0
	next := a + 1
	for i := x.to; i < y.from; {
		for next < b && nodes[next].from < i {
			next++
		}
		if next < b && nodes[next].from == i {
			n := &nodes[next]
			if !n.attribute {
				tags, words, classes = join(tags, 77), join(words, 77), join(classes, n.class)
				c.distance = min(3, c.distance+1)
				last = n.head
			} else {
				words = join(words, 78)
			}
			i = n.to
			continue
		}
		t := &ts[i]
		i++
		switch {
		case t.tag == tagDT || t.tag == tagPRPS:
			if t.tag == tagPRPS {
				words = join(words, t.hash)
			}
		case t.tag == tagIN || t.tag == tagCC || t.tag == tagTO || t.tag == tagComma || t.tag == tagWDT || t.tag == tagWP || t.tag == tagRP || t.tag == tagPOS || t.be:
			tags, words, classes = join(tags, uint32(t.tag)), join(words, t.lemma), join(classes, t.lemma)
		default:
			if isVerb(t.tag) {
				c.verbs = min(3, c.verbs+1)
			}
			tags, words, classes = join(tags, uint32(t.tag)), join(words, uint32(t.tag)), join(classes, uint32(t.tag))
		}
		if !silent(t) {
			kept = join(kept, t.lemma)
		}
	}
	prev, follow := &border, &border
	if x.from > 0 {
		prev = &ts[x.from-1]
	}
	if int(y.to) < len(ts) {
		follow = &ts[y.to]
	}
	d := bucket(int(y.from - x.to))
	f := [...]uint32{
		200, join(201, x.head), join(202, y.head), join(203, join(x.head, y.head)), join(204, x.class<<8|y.class),
		join(205, kept), join(206, tags), join(207, words), join(208, c.distance<<8|d), join(209, join(x.head, kept)),
		join(210, join(y.head, kept)), join(211, join(classes, x.class<<8|y.class)), join(212, join(last, y.head)),
		join(213, join(words, follow.lemma)), join(214, join(words, prev.lemma)), join(215, join(words, x.class<<8|y.class)), join(216, join(x.name, y.name)),
		join(217, join(join(kept, words), x.class)), join(218, join(join(kept, words), y.class)),
	}
	c.n = copy(c.features[:], f[:])
	state := c.history.state()
	for _, h := range [...]uint32{join(220, state), join(221, join(state, tags)), join(222, join(state, words)), join(223, join(state, y.head)), join(224, join(state, join(x.head, y.head)))} {
		c.features[c.n] = h
		c.n++
	}
}

func isVerb(t tag) bool { return t >= tagVB && t <= tagVBZ }

// appendNone appends the features of no relation.
func (c *pairContext) appendNone(f []uint32) []uint32 {
	for _, h := range c.features[:c.n] {
		f = append(f, join(h, none))
	}
	return f
}

// appendCandidate appends the features of candidate k.
func (c *pairContext) appendCandidate(ts []span, nodes []node, a, b int, k *candidate, f []uint32) []uint32 {
	x, y := &nodes[a], &nodes[b]
	direction := uint32(k.where) << 1
	if k.reversed {
		direction |= 1
	}
	h := k.hash
	var shape uint32
	if k.implied != 0 {
		h = join(h, 0x1b873593)
	}
	key := join(h, direction)
	for _, g := range c.features[:c.n] {
		f = append(f, join(g, key))
	}
	var place, l, r uint32
	whole := uint32(0)
	if k.implied == 0 {
		first, last := k.words[0], k.words[k.n-1]
		for _, w := range k.words[:k.n] {
			shape = join(shape, uint32(ts[w].tag))
		}
		lt, rt := &border, &border
		if first > 0 {
			lt = &ts[first-1]
		}
		if int(last)+1 < len(ts) {
			rt = &ts[last+1]
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
		l, r = lt.lemma, rt.lemma
		if k.whole {
			whole = 1
		}
		f = append(f,
			join(260, join(direction, uint32(lt.tag)<<8|uint32(rt.tag))),
			join(261, join(key, uint32(lt.tag)<<8|uint32(rt.tag))),
			join(262, join(key, l)), join(263, join(key, r)),
			join(264, join(direction, uint32(last-first)-uint32(k.n-1))),
			join(265, join(shape, uint32(lt.tag)<<8|uint32(rt.tag))),
			join(266, join(place, join(ts[first].lemma, direction))),
			join(267, join(ts[first].lemma, join(x.head, direction))),
			join(268, join(ts[last].lemma, join(y.head, direction))),
			join(269, join(ts[last].lemma, join(x.head, direction))),
			join(270, join(place, bucket(int(first-x.to))<<8|bucket(int(y.from-last)))),
		)
	}
	sk := join(shape, direction)
	used := c.history.uses(k, int32(a), int32(b))
	f = append(f,
		join(280, join(used, direction)), join(281, join(used, sk)), join(282, join(used, join(c.features[7], direction))), join(283, join(used, key)),
		join(284, join(used, join(place, sk))), join(285, join(used, join(c.history.state(), sk))), join(286, join(used, join(x.head, direction))), join(287, join(c.history.state(), join(place, sk))),
	)
	return append(f,
		join(250, sk), join(251, join(sk, place<<1|whole)), join(252, join(sk, join(place, c.verbs<<4|c.distance))),
		join(253, join(sk, x.class<<8|y.class)), join(254, join(key, place<<1|whole)), join(255, join(c.features[6], join(sk, place))),
		join(256, join(c.features[7], join(sk, place))), join(257, join(c.features[11], join(sk, place))),
		join(258, join(direction, place<<1|whole)), join(259, join(key, x.class)), join(271, join(key, y.class)),
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
				tags, words = join(tags, 78), join(words, 78)
			} else {
				tags, words = join(tags, 77), join(words, 77)
				objects++
			}
			i = n.to
			continue
		}
		t := &ts[i]
		i++
		tags = join(tags, uint32(t.tag))
		if t.tag != tagDT {
			words = join(words, t.lemma)
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
		join(300, order), join(301, d), join(302, join(tags, order)), join(303, join(words, order)),
		join(304, join(x.head, order)), join(305, join(y.head, order)), join(306, join(x.head, y.head)),
		join(307, join(tags, t)), join(308, join(words, join(x.head, order))), join(309, join(words, join(y.head, order))),
		join(310, join(d, t)), join(311, join(d, x.head)), join(312, join(tags, x.class<<8|y.class)<<1|order), join(313, join(d, y.head)),
		join(314, join(join(tags, prev.lemma), t)), join(315, join(join(tags, follow.lemma), t)), join(316, join(words, t)),
		join(317, join(join(words, uint32(prev.tag)<<8|uint32(follow.tag)), t)), join(318, join(d, uint32(prev.tag)<<8|uint32(follow.tag))),
	)
}

// linkable reports whether nodes[k] may be an attribute of nodes[o].
func linkable(ts []span, nodes []node, k, o int) bool {
	lo, hi := min(k, o), max(k, o)
	return hi-lo <= maxNeighbour && nodes[hi].from-nodes[lo].to <= maxPair && !stops(ts, int(nodes[lo].to), int(nodes[hi].from))
}
