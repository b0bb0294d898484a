package negatives

import "capgraph/schemas"

// selection is scratch memory for Cap.
type selection struct {
	keep   []bool
	taken  []bool
	counts map[string]int
}

// Cap leaves at most MaxNegatives in each pool. The chooser, where there is one,
// turns candidates away first. Of the others, each method in turn gives the one
// it made first of those left, so that no method crowds out another; the order of
// what stays is the order in which it was made.
func (g *Generator) Cap(img *Image, pools []schemas.Pool, choose Chooser, report func(Dropped)) {
	for c := range pools {
		g.capPool(img, c, &pools[c], choose, report)
	}
}

func (g *Generator) capPool(img *Image, c int, pool *schemas.Pool, choose Chooser, report func(Dropped)) {
	s := &g.choice
	n := len(pool.Negatives)
	s.keep, s.taken = resize(s.keep, n), resize(s.taken, n)
	for i := range n {
		s.keep[i], s.taken[i] = true, false
	}
	if choose != nil {
		choose.Choose(img.Key, img.Captions[c].Key, pool, s.keep)
	}
	g.choice.take(pool.Negatives, g.opts.MaxNegatives)
	out := pool.Negatives[:0]
	for i, neg := range pool.Negatives {
		if s.taken[i] {
			out = append(out, neg)
			continue
		}
		if report != nil {
			reason := ReasonCap
			if !s.keep[i] {
				reason = ReasonBalance
			}
			report(Dropped{Caption: c, Text: neg.Text, Method: neg.Method, Reason: reason})
		}
	}
	clear(pool.Negatives[len(out):])
	pool.Negatives = out
}

// take marks up to limit of the kept negatives, round after round one of each
// method and positive.
func (s *selection) take(negs []schemas.HardNegative, limit int) {
	left := 0
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
