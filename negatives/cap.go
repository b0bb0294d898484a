package negatives

import "capgraph/schemas"

// Capper leaves at most Max negatives in a pool. It is not safe for concurrent
// use.
type Capper struct {
	Max int
	// Chooser turns candidates away first; nil where none are.
	Chooser Chooser

	keep   []bool
	taken  []bool
	counts map[string]int
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
	s.keep, s.taken = resize(s.keep, n), resize(s.taken, n)
	for i := range n {
		s.keep[i], s.taken[i] = true, false
	}
	if s.Chooser != nil {
		s.Chooser.Choose(img.Key, img.Captions[c].Key, pool, s.keep)
	}
	s.take(pool.Negatives)
	out := pool.Negatives[:0]
	for i, neg := range pool.Negatives {
		if s.taken[i] {
			out = append(out, neg)
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
	clear(pool.Negatives[len(out):])
	pool.Negatives = out
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
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	clear(s.counts)
	for round := 1; limit > 0; round++ {
		for i := range negs {
			if limit > 0 && s.keep[i] && !s.taken[i] && s.counts[negs[i].Method] < round {
				s.taken[i] = true
				s.counts[negs[i].Method]++
				limit--
			}
		}
	}
}
