package negatives

import (
	"slices"

	"capgraph/schemas"
)

// Capper leaves at most Max negatives in a pool. It is not safe for concurrent
// use.
type Capper struct {
	Max int
	// Chooser turns candidates away first; nil if none are.
	Chooser Chooser

	keep, taken []bool
	// methods are those of a pool, and of is which one each negative is of.
	methods []string
	of      []int
	list    []int // of negatives that the chooser keeps
	turns   turns
}

// Cap leaves at most Max negatives in the pool of each caption. Of those that
// the chooser keeps, each sentence of the caption in turn gives one, and of a sentence
// each method in turn the one it made first of those left, so that none crowds out
// another; the order of what stays is the order in which it was made.
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
	s.markKept(pool.Negatives)
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

// markKept marks up to Max of the kept negatives: each sentence in turn one, and of a
// sentence each method in turn.
func (s *Capper) markKept(negs []schemas.HardNegative) {
	s.list, s.methods = s.list[:0], s.methods[:0]
	for i := range negs {
		if s.keep[i] {
			s.list = append(s.list, i)
		}
	}
	if len(s.list) <= s.Max {
		copy(s.taken, s.keep)
		return
	}
	s.of = schemas.Resize(s.of, len(negs))
	for _, i := range s.list {
		method := slices.Index(s.methods, negs[i].Method)
		if method < 0 {
			method = len(s.methods)
			s.methods = append(s.methods, negs[i].Method)
		}
		s.of[i] = method
	}
	s.turns.take(s.list, func(i int) int { return int(negs[i].Sentence)*len(s.methods) + s.of[i] })
	s.turns.take(s.list, func(i int) int { return int(negs[i].Sentence) })
	for _, i := range s.list[:s.Max] {
		s.taken[i] = true
	}
}
