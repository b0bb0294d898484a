package analysis

import (
	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// MayBeRelated reports whether nodes a and b are in one sentence and close enough to be related, in
// tokens and in nodes.
func MayBeRelated(ts []tokens.Token, nodes []Node, a, b int) bool {
	return b-a <= MaxNeighbour && nodes[b].From-nodes[a].To <= MaxPair && !hasBoundary(ts, int(nodes[a].To), int(nodes[b].From))
}

// hasBoundary reports whether a sentence, or a title before a colon, ends among tokens [from, to).
func hasBoundary(ts []tokens.Token, from, to int) bool {
	for i := from; i < to; i++ {
		if ts[i].Tag == penn.Period || ts[i].Low == ";" || ts[i].Low == ":" {
			return true
		}
	}
	return false
}

// leftBound returns the end of the object before node a. Words before that belong to the earlier
// object.
func leftBound(nodes []Node, a int) int {
	for i := a - 1; i >= 0; i-- {
		if !nodes[i].IsAttribute {
			return int(nodes[i].To)
		}
	}
	return 0
}

// rightBound returns the begin of the object after node b. Words from there on belong to the later
// object.
func rightBound(nodes []Node, b, length int) int {
	for i := b + 1; i < len(nodes); i++ {
		if !nodes[i].IsAttribute {
			return int(nodes[i].From)
		}
	}
	return length
}

// PairContext has the features of two objects that do not depend on the candidate.
type PairContext struct {
	features [24]uint32 // each is combined with the features of each candidate

	kept, tags, words, classes uint32 // hashes of the words between the two objects

	distance   uint32 // number of objects between them, at most 3
	verbs      uint32 // number of verbs between them, at most 3
	last       uint32 // class of the last object between
	rival      uint32 // class of the object that the first object is related to or follows, and which of both
	rivalClass uint32
	rivalHead  uint32
	History    history
}

// noCandidate is combined with features in place of a candidate's hash if there is no relation.
const noCandidate = 0x7feb352d

// noNode stands for a missing object.
var noNode Node

func distanceBucket(n int) uint32 {
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

// Collect sets c for nodes[a] and nodes[b].
func (c *PairContext) Collect(ts []tokens.Token, x *Analysis, a, b int) {
	nodes := x.Nodes
	first, second := &nodes[a], &nodes[b]
	var tags, words, classes, kept, lastHead uint32
	c.distance, c.verbs, c.last = 0, 0, 0
	next := a + 1
	for i := first.To; i < second.From; {
		for next < b && nodes[next].From < i {
			next++
		}
		if next < b && nodes[next].From == i {
			n := &nodes[next]
			if !n.IsAttribute {
				tags, words, classes = linear.Blend(tags, 77), linear.Blend(words, 77), linear.Blend(classes, n.Class)
				c.distance = min(3, c.distance+1)
				lastHead, c.last = n.head, n.Class
			} else {
				words = linear.Blend(words, 78)
			}
			i = n.To
			continue
		}
		t := &ts[i]
		i++
		switch {
		case t.Tag == penn.DT || t.Tag == penn.PRPS:
			if t.Tag == penn.PRPS {
				words = linear.Blend(words, t.Hash)
			}
		case t.Tag == penn.IN || t.Tag == penn.CC || t.Tag == penn.TO || t.Tag == penn.Comma || t.Tag == penn.WDT || t.Tag == penn.WP || t.Tag == penn.RP || t.Tag == penn.POS || t.IsBe:
			tags, words, classes = linear.Blend(tags, uint32(t.Tag)), linear.Blend(words, t.Lemma), linear.Blend(classes, t.Lemma)
		default:
			if penn.IsVerb(t.Tag) {
				c.verbs = min(3, c.verbs+1)
			}
			tags, words, classes = linear.Blend(tags, uint32(t.Tag)), linear.Blend(words, uint32(t.Tag)), linear.Blend(classes, uint32(t.Tag))
		}
		if !IsSilent(t) {
			kept = linear.Blend(kept, t.Lemma)
		}
	}
	c.kept, c.tags, c.words, c.classes = kept, tags, words, classes
	c.History.Summarise(ts, x.Edges, int32(a), int32(b))
	c.findRival(ts, x, a)
	prev, follow := tokens.AtOrBorder(ts, first.From-1), tokens.AtOrBorder(ts, second.To)
	d := distanceBucket(int(second.From - first.To))
	pair := first.Class<<8 | second.Class
	state := c.History.stateBits()
	heads := linear.Blend(first.head, second.head)
	c.features = [...]uint32{
		linear.Mix(200), linear.Blend(201, first.head), linear.Blend(202, second.head), linear.Blend(203, heads), linear.Blend(204, pair),
		linear.Blend(205, kept), linear.Blend(206, tags), linear.Blend(207, words), linear.Blend(208, c.distance<<8|d), linear.Blend(209, linear.Blend(first.head, kept)),
		linear.Blend(210, linear.Blend(second.head, kept)), linear.Blend(211, linear.Blend(classes, pair)), linear.Blend(212, linear.Blend(lastHead, second.head)),
		linear.Blend(213, linear.Blend(words, follow.Lemma)), linear.Blend(214, linear.Blend(words, prev.Lemma)), linear.Blend(215, linear.Blend(words, pair)), linear.Blend(216, linear.Blend(first.Name, second.Name)),
		linear.Blend(217, linear.Blend(linear.Blend(kept, words), first.Class)), linear.Blend(218, linear.Blend(linear.Blend(kept, words), second.Class)),
		linear.Blend(220, state), linear.Blend(221, linear.Blend(state, tags)), linear.Blend(222, linear.Blend(state, words)), linear.Blend(223, linear.Blend(state, second.head)), linear.Blend(224, linear.Blend(state, heads)),
	}
}

// findRival sets c.rival to the object that may be the subject in place of nodes[a]: the earlier
// object to which nodes[a] is related, else the one before it.
func (c *PairContext) findRival(ts []tokens.Token, x *Analysis, a int) {
	rival, how := &noNode, uint32(0)
	for i := a - 1; i >= max(0, a-MaxNeighbour); i-- {
		if !x.Nodes[i].IsAttribute {
			rival, how = &x.Nodes[i], 1
			break
		}
	}
	for i := len(x.Edges) - 1; i >= 0 && int(x.Edges[i].B) >= a; i-- {
		if e := &x.Edges[i]; int(e.B) == a {
			rival, how = &x.Nodes[e.A], candidateKind(ts, &e.Candidate)+2
		}
	}
	c.rival, c.rivalClass, c.rivalHead = how<<8|rival.Class, rival.Class, rival.head
}

// AppendNoRelation appends the features of the decision that the two objects are not related.
func (c *PairContext) AppendNoRelation(f []uint32) []uint32 {
	for _, h := range c.features {
		f = append(f, h^noCandidate)
	}
	return f
}

// directionBits encodes the candidate's position relative to its objects and whether it is
// reversed.
func (k *Candidate) directionBits() uint32 {
	d := uint32(k.Position) << 1
	if k.Reversed {
		d |= 1
	}
	return d
}

// wordsHash returns the hash of a candidate's words and direction.
func (k *Candidate) wordsHash() uint32 {
	if k.Implied != 0 {
		return linear.Blend(linear.Blend(k.Hash, 0x1b873593), k.directionBits())
	}
	return linear.Blend(k.Hash, k.directionBits())
}

// tagsHash returns the hash of the tags of a candidate's words and of its direction.
func (k *Candidate) tagsHash(ts []tokens.Token) uint32 {
	h := k.directionBits()
	for _, w := range k.Words[:k.N] {
		h = linear.Blend(h, uint32(ts[w].Tag))
	}
	return h
}

// AppendCandidate appends the features of candidate k.
func (c *PairContext) AppendCandidate(ts []tokens.Token, nodes []Node, a, b int, k *Candidate, f []uint32) []uint32 {
	x, y := &nodes[a], &nodes[b]
	direction, key, shape := k.directionBits(), k.wordsHash(), k.tagsHash(ts)
	for _, g := range c.features {
		f = append(f, g^key)
	}
	var place, whole, verb uint32
	if k.Implied == 0 {
		first, last := k.Words[0], k.Words[k.N-1]
		l, r := tokens.AtOrBorder(ts, first-1), tokens.AtOrBorder(ts, last+1)
		var from, to uint32
		for i := a + 1; i < b; i++ {
			if n := &nodes[i]; !n.IsAttribute {
				if n.To <= first {
					from++
				} else if n.From > last {
					to++
				}
			}
		}
		place = min(from, 3)<<2 | min(to, 3)
		if k.FillsGap {
			whole = 1
		}
		around := uint32(l.Tag)<<8 | uint32(r.Tag)
		verb = linear.Blend(ts[first].Lemma, direction)
		ends := linear.Blend(ts[last].Lemma, direction)
		f = append(f,
			linear.Blend(260, around<<4|direction), linear.Blend(261, linear.Blend(key, around)), linear.Blend(262, linear.Blend(key, l.Lemma)), linear.Blend(263, linear.Blend(key, r.Lemma)),
			linear.Blend(264, uint32(last-first)-uint32(k.N-1)<<4|direction), linear.Blend(265, linear.Blend(shape, around)), linear.Blend(266, linear.Blend(verb, place)),
			linear.Blend(267, linear.Blend(verb, x.head)), linear.Blend(268, linear.Blend(ends, y.head)), linear.Blend(269, linear.Blend(ends, x.head)),
			linear.Blend(270, place<<8|distanceBucket(int(first-x.To))<<4|distanceBucket(int(y.From-last))), linear.Blend(292, linear.Blend(verb, linear.Blend(c.rival, x.Class))), linear.Blend(295, linear.Blend(verb, c.rivalHead)),
		)
	}
	used, state := c.History.sharedWords(k, int32(a), int32(b)), c.History.stateBits()
	there := linear.Blend(shape, place)
	lone := place<<1 | whole
	return append(f,
		linear.Blend(250, shape), linear.Blend(251, linear.Blend(there, whole)), linear.Blend(252, linear.Blend(there, c.verbs<<4|c.distance)),
		linear.Blend(253, linear.Blend(shape, x.Class<<8|y.Class)), linear.Blend(254, linear.Blend(key, lone)), linear.Blend(255, linear.Blend(c.tags, there)),
		linear.Blend(256, linear.Blend(c.words, there)), linear.Blend(257, linear.Blend(there, linear.Blend(c.classes, x.Class<<8|y.Class))),
		linear.Blend(258, lone<<4|direction), linear.Blend(259, linear.Blend(key, x.Class)), linear.Blend(271, linear.Blend(key, y.Class)),
		linear.Blend(280, used<<4|direction), linear.Blend(281, linear.Blend(used, shape)), linear.Blend(282, linear.Blend(c.words, used<<4|direction)), linear.Blend(283, linear.Blend(used, key)),
		linear.Blend(284, linear.Blend(used, there)), linear.Blend(285, linear.Blend(used<<16|state, shape)), linear.Blend(286, linear.Blend(x.head, used<<4|direction)), linear.Blend(287, linear.Blend(state, there)),
		linear.Blend(290, linear.Blend(shape, linear.Blend(c.rival, x.Class))), linear.Blend(291, linear.Blend(shape, c.rivalClass<<8|x.Class)),
		linear.Blend(296, linear.Blend(shape, c.last<<16|x.Class<<8|y.Class)), linear.Blend(298, linear.Blend(shape, linear.Blend(state, c.last<<8|x.Class))),
	)
}

// AppendLink appends the features of nodes[o] as the object of attribute nodes[k].
func AppendLink(ts []tokens.Token, nodes []Node, k, o int, f []uint32) []uint32 {
	x, y := &nodes[k], &nodes[o]
	lo, hi, order := k, o, uint32(0)
	if o < k {
		lo, hi, order = o, k, 1
	}
	var tags, words, objects uint32
	next := lo + 1
	for i := nodes[lo].To; i < nodes[hi].From; {
		for next < hi && nodes[next].From < i {
			next++
		}
		if next < hi && nodes[next].From == i {
			n := &nodes[next]
			if n.IsAttribute {
				tags, words = linear.Blend(tags, 78), linear.Blend(words, 78)
			} else {
				tags, words = linear.Blend(tags, 77), linear.Blend(words, 77)
				objects++
			}
			i = n.To
			continue
		}
		t := &ts[i]
		i++
		tags = linear.Blend(tags, uint32(t.Tag))
		if t.Tag != penn.DT {
			words = linear.Blend(words, t.Lemma)
		}
	}
	prev, follow := tokens.AtOrBorder(ts, x.From-1), tokens.AtOrBorder(ts, x.To)
	t := uint32(ts[x.To-1].Tag)<<8 | order
	d := distanceBucket(int(nodes[hi].From-nodes[lo].To))<<4 | min(objects, 3)<<1 | order
	return append(f,
		linear.Blend(300, order), linear.Blend(301, d), linear.Blend(302, linear.Blend(tags, order)), linear.Blend(303, linear.Blend(words, order)),
		linear.Blend(304, linear.Blend(x.head, order)), linear.Blend(305, linear.Blend(y.head, order)), linear.Blend(306, linear.Blend(x.head, y.head)),
		linear.Blend(307, linear.Blend(tags, t)), linear.Blend(308, linear.Blend(words, linear.Blend(x.head, order))), linear.Blend(309, linear.Blend(words, linear.Blend(y.head, order))),
		linear.Blend(310, linear.Blend(d, t)), linear.Blend(311, linear.Blend(d, x.head)), linear.Blend(312, linear.Blend(tags, x.Class<<8|y.Class)<<1|order), linear.Blend(313, linear.Blend(d, y.head)),
		linear.Blend(314, linear.Blend(linear.Blend(tags, prev.Lemma), t)), linear.Blend(315, linear.Blend(linear.Blend(tags, follow.Lemma), t)), linear.Blend(316, linear.Blend(words, t)),
		linear.Blend(317, linear.Blend(linear.Blend(words, uint32(prev.Tag)<<8|uint32(follow.Tag)), t)), linear.Blend(318, linear.Blend(d, uint32(prev.Tag)<<8|uint32(follow.Tag))),
	)
}

// MayBeLinked reports whether object nodes[o] is close enough to attribute nodes[k] to be its
// object.
func MayBeLinked(ts []tokens.Token, nodes []Node, k, o int) bool {
	lo, hi := min(k, o), max(k, o)
	return hi-lo <= MaxNeighbour && nodes[hi].From-nodes[lo].To <= MaxPair && !hasBoundary(ts, int(nodes[lo].To), int(nodes[hi].From))
}

// skipsObject reports whether an object follows the attribute of l, and more than a conjunction
// stands between that object and the linked one. In "four men ride horses", "four" linked to
// "horses" skips "men".
func skipsObject(ts []tokens.Token, x *Analysis, l Link) bool {
	first := l.Attribute + 1
	for int(first) < len(x.Nodes) && x.Nodes[first].IsAttribute {
		first++
	}
	if first >= l.Object {
		return false
	}
	for i := x.Nodes[first].To; i < x.Nodes[l.Object].From; i++ {
		t := &ts[i]
		if !x.InNode[i] && t.Tag != penn.CC && t.Tag != penn.Comma && t.Tag != penn.DT && t.Tag != penn.JJ && t.Low != "of" {
			return true
		}
	}
	return false
}
