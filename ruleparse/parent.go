package ruleparse

// An object is first given the one relation to an object before it that is the
// likeliest, or none; then each other object before it is considered again.

// appendNothing appends the features of nodes[b] being related to no object
// before it.
func appendNothing(ts []span, x *analysis, b int, f []uint32) []uint32 {
	n := &x.nodes[b]
	near, at, objects := &noNode, -1, uint32(0)
	for a := b - 1; a >= max(0, b-maxNeighbour); a-- {
		if !x.nodes[a].attribute {
			if objects == 0 {
				near, at = &x.nodes[a], a
			}
			objects = min(4, objects+1)
		}
	}
	var predicate, parent uint32 // of the object before
	for i := len(x.edges) - 1; i >= 0 && int(x.edges[i].b) >= at; i-- {
		if e := &x.edges[i]; int(e.b) == at {
			predicate, parent = mix(e.candidate.hash), sort(ts, &e.candidate)+1
		}
	}
	next, gap := &noNode, uint32(0)
	if b+1 < len(x.nodes) {
		next = &x.nodes[b+1]
		if d := next.from - n.to; d < 2 {
			gap = uint32(d) + 1
		}
		if next.attribute {
			gap |= 4
		}
	}
	end := int32(len(ts))
	for i := b + 1; i < min(len(x.nodes), b+maxNeighbour); i++ {
		if !x.nodes[i].attribute {
			end = x.nodes[i].from
			break
		}
	}
	var tags, words, later, laterTags uint32
	for i := max(near.to, n.from-maxPair); i < n.from; i++ {
		tags, words = blend(tags, uint32(ts[i].tag)), blend(words, ts[i].lemma)
	}
	for i := n.to; i < min(end, n.to+8); i++ {
		laterTags, later = blend(laterTags, uint32(ts[i].tag)), blend(later, ts[i].lemma)
	}
	prev, prev2, follow, follow2 := leftOf(ts, n), &border, rightOf(ts, n), &border
	if n.from > 1 {
		prev2 = &ts[n.from-2]
	}
	if int(n.to)+1 < len(ts) {
		follow2 = &ts[n.to+1]
	}
	pair, heads := near.class<<8|n.class, blend(near.head, n.head)
	return append(f,
		mix(600), blend(601, n.head), blend(602, n.class), blend(603, prev.lemma), blend(604, blend(prev.lemma, prev2.lemma)), blend(605, uint32(prev.tag)<<8|uint32(prev2.tag)),
		blend(606, objects), blend(607, heads), blend(608, pair), blend(609, tags), blend(610, words), blend(611, blend(words, n.head)), blend(612, blend(words, near.head)),
		blend(613, blend(tags, pair)), blend(614, follow.lemma), blend(615, blend(words, follow.lemma)), blend(616, blend(tags, objects)),
		blend(620, gap), blend(621, blend(gap, blend(n.head, next.head))), blend(622, blend(gap, n.class<<8|next.class)), blend(623, blend(gap, words)),
		blend(624, blend(parent, words)), blend(625, blend(parent, tags)), blend(626, blend(predicate, words)), blend(627, blend(prev.lemma, n.head)),
		blend(628, blend(prev.lemma, follow.lemma)), blend(629, blend(words, n.class)), blend(630, blend(tags, uint32(follow.tag)<<8|parent)), blend(631, blend(n.head, follow.lemma)),
		blend(645, later), blend(646, blend(later, n.head)), blend(647, laterTags), blend(648, blend(laterTags, tags)), blend(649, blend(laterTags, words)),
		blend(650, blend(follow.lemma, follow2.lemma)), blend(651, blend(tags, heads)), blend(652, blend(prev.lemma, near.head)), blend(653, blend(prev.lemma, pair)),
		blend(654, parent<<2|min(3, uint32(len(x.edges)))), blend(655, blend(later, words)), blend(658, blend(laterTags, n.class)),
	)
}

// appendAgain appends what is seen of candidate k, or of none where k is nil,
// beside the relations that nodes[b] already has.
func (c *pairContext) appendAgain(ts []span, nodes []node, a, b int, k *candidate, f []uint32) []uint32 {
	x, y := &nodes[a], &nodes[b]
	key, shape, used := uint32(none), uint32(none), uint32(0)
	if k != nil {
		key, shape, used = k.key(), k.shape(ts), (c.history.uses(k, int32(a), int32(b))+1)<<3|k.direction()
	}
	u := used<<16 | c.history.state()
	uk, us := blend(u, key), blend(u, shape)
	return append(f,
		blend(700, u), blend(701, uk), blend(702, us), blend(703, blend(us, c.tags)), blend(704, blend(us, c.words)), blend(705, blend(us, y.head)), blend(706, blend(us, x.head)),
		blend(707, blend(us, blend(x.head, y.head))), blend(708, blend(used, c.words)), blend(709, blend(uk, c.words)), blend(710, blend(us, x.class<<8|y.class)),
		blend(711, blend(us, c.distance)), blend(712, blend(blend(used, shape), c.kept)),
	)
}

// ruledOut reports whether grammar forbids that candidate k relates objects a and b:
//   - within a compound of many nouns nothing is implied: "calf hair ballet flats";
//   - the noun after a possessive is no predicate: "the men's dance floor";
//   - a predicate that begins with a noun does not go over an adverb;
//   - a verb that is carried over its object takes a particle along and no preposition:
//     "parked on grass next to a bus".
func ruledOut(ts []span, a, b *node, k *candidate) bool {
	if k.implied != 0 {
		return a.to == b.from && (b.to-b.from > 2 || isNoun(rightOf(ts, b).tag))
	}
	if k.carried > 1 && ts[k.words[k.carried-1]].tag == tagIN {
		return true
	}
	if first := k.words[0]; !isNoun(ts[first].tag) {
		return false
	} else if first > 0 && ts[first-1].tag == tagPOS {
		return true
	}
	for _, w := range k.words[1:k.n] {
		if ts[w].tag == tagRB && !closes(&ts[w]) {
			return true
		}
	}
	return false
}
