package negatives

import (
	"cmp"
	"slices"

	"capgraph/schemas"
)

// Capper leaves at most Max negatives in a pool. It is not safe for concurrent
// use.
type Capper struct {
	Max int
	// Mix limits the share of each kind of change.
	Mix Mix
	// Chooser may reject negatives before the others are counted; nil to reject none.
	Chooser Chooser

	keep, taken    []bool
	methods, kinds groups
	list           []int // indices of the negatives that the chooser keeps
	drawn          []int // the same indices, in the order in which the mix takes them
	turns          turns
}

// groups divides the negatives of a pool into groups with one name, such as a method.
type groups struct {
	names []string
	sizes []int
	of    []int // by negative
}

// Cap leaves at most Max negatives in the pool of each caption and counts the others as drops. It
// takes them from the sentences of the caption in turn; within a sentence from the kinds of change
// in turn, the rarest first; within a kind from the methods in turn, more concrete nouns first.
// Then the mix limits the kinds. The negatives that stay keep their order.
func (s *Capper) Cap(img *Image, pools []schemas.Pool, drops *Drops) {
	for c := range pools {
		s.capPool(img, c, &pools[c], drops)
	}
}

func (s *Capper) capPool(img *Image, c int, pool *schemas.Pool, drops *Drops) {
	n := len(pool.Negatives)
	s.keep, s.taken = schemas.Resize(s.keep, n), schemas.Resize(s.taken, n)
	for i := range n {
		s.keep[i], s.taken[i] = true, false
	}
	if s.Chooser != nil {
		s.Chooser.Choose(img.Key, img.Captions[c].Key, pool, s.keep)
	}
	s.markKept(img.Key, pool)
	left := 0
	for i := range pool.Negatives {
		neg := &pool.Negatives[i]
		if s.taken[i] {
			if left < i {
				pool.Negatives[left] = *neg
			}
			left++
			continue
		}
		reason := ReasonCap
		if !s.keep[i] {
			reason = ReasonBalance
		}
		drops.N[reason]++
		if drops.Each != nil {
			drops.Each(Dropped{Caption: c, Text: neg.Text, Method: neg.Method, Reason: reason})
		}
	}
	clear(pool.Negatives[left:])
	pool.Negatives = pool.Negatives[:left]
}

// markKept sets taken of up to Max negatives that the chooser keeps, in the order that Cap
// describes.
func (s *Capper) markKept(image string, pool *schemas.Pool) {
	negs := pool.Negatives
	s.list = s.list[:0]
	for i := range negs {
		if s.keep[i] {
			s.list = append(s.list, i)
		}
	}
	slices.SortStableFunc(s.list, func(a, b int) int { return cmp.Compare(negs[b].Concrete, negs[a].Concrete) })
	s.methods.group(s.list, len(negs), func(i int) string { return negs[i].Method })
	s.kinds.group(s.list, len(negs), func(i int) string { return KindOfMethod(negs[i].Method, negs[i].Changed) })
	s.turns.takeTurns(s.list, func(i int) int { return int(negs[i].Sentence)*len(s.methods.names) + s.methods.of[i] })
	slices.SortStableFunc(s.list, func(a, b int) int {
		return cmp.Compare(s.kinds.sizes[s.kinds.of[a]], s.kinds.sizes[s.kinds.of[b]])
	})
	s.turns.takeTurns(s.list, func(i int) int { return int(negs[i].Sentence)*len(s.kinds.names) + s.kinds.of[i] })
	s.turns.takeTurns(s.list, func(i int) int { return int(negs[i].Sentence) })
	s.limitKinds(image, pool)
	for _, i := range s.list[:min(s.Max, len(s.list))] {
		s.taken[i] = true
	}
}

// group divides the negatives of list, indices below n, into groups of the same name.
func (g *groups) group(list []int, n int, name func(i int) string) {
	g.names, g.sizes, g.of = g.names[:0], g.sizes[:0], schemas.Resize(g.of, n)
	for _, i := range list {
		at := slices.Index(g.names, name(i))
		if at < 0 {
			at = len(g.names)
			g.names, g.sizes = append(g.names, name(i)), append(g.sizes, 0)
		}
		g.of[i] = at
		g.sizes[at]++
	}
}
