package analysis

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// First each object gets its likeliest relation to an earlier object, or none. Then each other earlier object is
// considered for a further relation.

// AppendUnrelated appends the features of the decision that nodes[b] has no relation to an earlier object.
func AppendUnrelated(ts []tokens.Token, x *Analysis, b int, f []uint32) []uint32 {
	n := &x.Nodes[b]
	near, at, objects := &noNode, -1, uint32(0)
	for a := b - 1; a >= max(0, b-MaxNeighbour); a-- {
		if !x.Nodes[a].IsAttribute {
			if objects == 0 {
				near, at = &x.Nodes[a], a
			}
			objects = min(4, objects+1)
		}
	}
	var predicate, parent uint32 // of the previous object
	for i := len(x.Edges) - 1; i >= 0 && int(x.Edges[i].B) >= at; i-- {
		if e := &x.Edges[i]; int(e.B) == at {
			predicate, parent = linear.Mix(e.Candidate.Hash), candidateKind(ts, &e.Candidate)+1
		}
	}
	next, gap := &noNode, uint32(0)
	if b+1 < len(x.Nodes) {
		next = &x.Nodes[b+1]
		if d := next.From - n.To; d < 2 {
			gap = uint32(d) + 1
		}
		if next.IsAttribute {
			gap |= 4
		}
	}
	end := int32(len(ts))
	for i := b + 1; i < min(len(x.Nodes), b+MaxNeighbour); i++ {
		if !x.Nodes[i].IsAttribute {
			end = x.Nodes[i].From
			break
		}
	}
	var tags, words, later, laterTags uint32
	for i := max(near.To, n.From-MaxPair); i < n.From; i++ {
		tags, words = linear.Blend(tags, uint32(ts[i].Tag)), linear.Blend(words, ts[i].Lemma)
	}
	for i := n.To; i < min(end, n.To+8); i++ {
		laterTags, later = linear.Blend(laterTags, uint32(ts[i].Tag)), linear.Blend(later, ts[i].Lemma)
	}
	prev, prev2, follow, follow2 := tokens.AtOrBorder(ts, n.From-1), tokens.AtOrBorder(ts, n.From-2), tokens.AtOrBorder(ts, n.To), tokens.AtOrBorder(ts, n.To+1)
	pair, heads := near.Class<<8|n.Class, linear.Blend(near.head, n.head)
	return append(f,
		linear.Mix(600), linear.Blend(601, n.head), linear.Blend(602, n.Class), linear.Blend(603, prev.Lemma), linear.Blend(604, linear.Blend(prev.Lemma, prev2.Lemma)), linear.Blend(605, uint32(prev.Tag)<<8|uint32(prev2.Tag)),
		linear.Blend(606, objects), linear.Blend(607, heads), linear.Blend(608, pair), linear.Blend(609, tags), linear.Blend(610, words), linear.Blend(611, linear.Blend(words, n.head)), linear.Blend(612, linear.Blend(words, near.head)),
		linear.Blend(613, linear.Blend(tags, pair)), linear.Blend(614, follow.Lemma), linear.Blend(615, linear.Blend(words, follow.Lemma)), linear.Blend(616, linear.Blend(tags, objects)),
		linear.Blend(620, gap), linear.Blend(621, linear.Blend(gap, linear.Blend(n.head, next.head))), linear.Blend(622, linear.Blend(gap, n.Class<<8|next.Class)), linear.Blend(623, linear.Blend(gap, words)),
		linear.Blend(624, linear.Blend(parent, words)), linear.Blend(625, linear.Blend(parent, tags)), linear.Blend(626, linear.Blend(predicate, words)), linear.Blend(627, linear.Blend(prev.Lemma, n.head)),
		linear.Blend(628, linear.Blend(prev.Lemma, follow.Lemma)), linear.Blend(629, linear.Blend(words, n.Class)), linear.Blend(630, linear.Blend(tags, uint32(follow.Tag)<<8|parent)), linear.Blend(631, linear.Blend(n.head, follow.Lemma)),
		linear.Blend(645, later), linear.Blend(646, linear.Blend(later, n.head)), linear.Blend(647, laterTags), linear.Blend(648, linear.Blend(laterTags, tags)), linear.Blend(649, linear.Blend(laterTags, words)),
		linear.Blend(650, linear.Blend(follow.Lemma, follow2.Lemma)), linear.Blend(651, linear.Blend(tags, heads)), linear.Blend(652, linear.Blend(prev.Lemma, near.head)), linear.Blend(653, linear.Blend(prev.Lemma, pair)),
		linear.Blend(654, parent<<2|min(3, uint32(len(x.Edges)))), linear.Blend(655, linear.Blend(later, words)), linear.Blend(658, linear.Blend(laterTags, n.Class)),
	)
}

// AppendFurther appends the features of candidate k as a further relation of nodes[b] to nodes[a], or of no further
// relation if k is nil.
func (c *PairContext) AppendFurther(ts []tokens.Token, nodes []Node, a, b int, k *Candidate, f []uint32) []uint32 {
	x, y := &nodes[a], &nodes[b]
	key, shape, used := uint32(noCandidate), uint32(noCandidate), uint32(0)
	if k != nil {
		key, shape, used = k.wordsHash(), k.tagsHash(ts), (c.History.sharedWords(k, int32(a), int32(b))+1)<<3|k.directionBits()
	}
	u := used<<16 | c.History.stateBits()
	uk, us := linear.Blend(u, key), linear.Blend(u, shape)
	return append(f,
		linear.Blend(700, u), linear.Blend(701, uk), linear.Blend(702, us), linear.Blend(703, linear.Blend(us, c.tags)), linear.Blend(704, linear.Blend(us, c.words)), linear.Blend(705, linear.Blend(us, y.head)), linear.Blend(706, linear.Blend(us, x.head)),
		linear.Blend(707, linear.Blend(us, linear.Blend(x.head, y.head))), linear.Blend(708, linear.Blend(used, c.words)), linear.Blend(709, linear.Blend(uk, c.words)), linear.Blend(710, linear.Blend(us, x.Class<<8|y.Class)),
		linear.Blend(711, linear.Blend(us, c.distance)), linear.Blend(712, linear.Blend(linear.Blend(used, shape), c.kept)),
	)
}

// IsRuledOut reports whether grammar excludes candidate k for objects a and b:
//
//   - no relation is implied within a compound of many nouns: "calf hair ballet flats";
//   - the noun after a possessive is no predicate: "the men's dance floor";
//   - a predicate that begins with a noun includes no adverb;
//   - a verb that is related to an object after its own keeps a particle, but no preposition: in "parked on
//     grass next to a bus" the bus is not related by "park on next to".
func IsRuledOut(ts []tokens.Token, a, b *Node, k *Candidate) bool {
	if k.Implied != 0 {
		return a.To == b.From && (b.To-b.From > 2 || penn.IsNoun(tokens.AtOrBorder(ts, b.To).Tag))
	}
	if k.carriedWords > 1 && ts[k.Words[k.carriedWords-1]].Tag == penn.IN {
		return true
	}
	if first := k.Words[0]; !penn.IsNoun(ts[first].Tag) {
		return false
	} else if first > 0 && ts[first-1].Tag == penn.POS {
		return true
	}
	for _, w := range k.Words[1:k.N] {
		if ts[w].Tag == penn.RB && !canEndPredicate(&ts[w]) {
			return true
		}
	}
	return false
}

// history has the earlier decisions that concern a pair of objects. Pairs are visited in the order of the second
// object.
type history struct {
	into   uint32 // how the second object is already related; plus 8 if to an object before the first
	out    uint32 // how the first object is related to an object between the two
	bridge bool   // the first object is related to one that is related to the second
	edges  []Relation
}

// Summarise sets h from the relations decided so far, for nodes a and b.
func (h *history) Summarise(ts []tokens.Token, edges []Relation, a, b int32) {
	h.into, h.out, h.bridge, h.edges = 0, 0, false, edges
	var middle int32 = -1
	for i := len(edges) - 1; i >= 0 && edges[i].B == b; i-- {
		if e := &edges[i]; e.A != a {
			h.into, middle = candidateKind(ts, &e.Candidate), e.A
			if e.A < a {
				h.into |= 8
			}
		}
	}
	for i := len(edges) - 1; i >= 0 && edges[i].B > a; i-- {
		if e := &edges[i]; e.A == a && e.B < b {
			h.out = candidateKind(ts, &e.Candidate)
			if e.B == middle {
				h.bridge = true
			}
		}
	}
}

// candidateKind returns 1 for an implied candidate, 2 for a reversed one, and else a code of the tags of its first and
// last word.
func candidateKind(ts []tokens.Token, c *Candidate) uint32 {
	switch {
	case c.Implied != 0:
		return 1
	case c.Reversed:
		return 2
	}
	k := uint32(4)
	if penn.IsVerb(ts[c.Words[0]].Tag) {
		k |= 1
	}
	if EndsInPreposition(ts, c) {
		k |= 2
	}
	return k
}

// sharedWords returns bits that say which edges share words with candidate c: an edge to b, one from a, or another.
func (h *history) sharedWords(c *Candidate, a, b int32) uint32 {
	var u uint32
	for i := len(h.edges) - 1; i >= 0 && h.edges[i].B >= a; i-- {
		e := &h.edges[i]
		if e.Candidate.Implied != 0 || c.Implied != 0 || e.Candidate.Words[0] > c.Words[c.N-1] || c.Words[0] > e.Candidate.Words[e.Candidate.N-1] {
			continue
		}
		same := e.Candidate.Words[0] == c.Words[0] && e.Candidate.N == c.N
		switch {
		case e.B == b && same:
			u |= 1
		case e.B == b:
			u |= 2
		case e.A == a && same:
			u |= 4
		case e.A == a:
			u |= 8
		default:
			u |= 16
		}
	}
	return u
}

func (h *history) stateBits() uint32 {
	s := h.into<<8 | h.out<<4
	if h.bridge {
		s |= 1
	}
	return s
}
