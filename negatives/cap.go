package negatives

import (
	"slices"

	"capgraph/schemas"
)

// Capper leaves at most Max negatives in a pool. It is not safe for concurrent
// use.
type Capper struct {
	Max int
	// Chooser turns candidates away first; nil where none are.
	Chooser Chooser

	keep, taken []bool
	// methods are those of a pool, of how many negatives each was taken, and which
	// one each negative is of.
	methods []string
	counts  []int
	of      []int
}

// Cap leaves at most Max negatives in the pool of each caption. Of those that
// the chooser keeps, each method in turn gives the one it made first of those
// left, so that no method crowds out another; the order of what stays is the
// order in which it was made.
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
	s.take(pool.Negatives)
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

// take marks up to Max of the kept negatives, round after round one of each
// method and positive.
func (s *Capper) take(negs []schemas.HardNegative) {
	limit, left := s.Max, 0
	for i := range negs {
		if s.keep[i] {
			left++
		}
	}
	if left <= limit {
		copy(s.taken, s.keep)
		return
	}
	s.methods, s.counts, s.of = s.methods[:0], s.counts[:0], s.of[:0]
	for i := range negs {
		of := slices.Index(s.methods, negs[i].Method)
		if of < 0 {
			of = len(s.methods)
			s.methods, s.counts = append(s.methods, negs[i].Method), append(s.counts, 0)
		}
		s.of = append(s.of, of)
	}
	for round := 1; limit > 0; round++ {
		for i, of := range s.of {
			if limit > 0 && s.keep[i] && !s.taken[i] && s.counts[of] < round {
				s.taken[i] = true
				s.counts[of]++
				limit--
			}
		}
	}
}
