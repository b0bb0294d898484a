package group

import "fmt"

// Sum replaces x on all ranks by its sum over ranks: that of rank 0, plus that of
// rank 1, and so on, rounded each time. All have as many elements.
func (g *Group) Sum(x []float64) error { return g.sum(opSum, numbers{f64: x}) }

// Sum32 is Sum of float32: each addition is rounded to float32.
func (g *Group) Sum32(x []float32) error { return g.sum(opSum32, numbers{f32: x}) }

// sum adds each rank's share of x on that rank, and hands the shares on: a rank
// sends and takes less than twice x, however many there are.
func (g *Group) sum(op operation, x numbers) error {
	if g.World == 1 {
		return g.begin(op)
	}
	if err := g.begin(op); err != nil {
		return err
	}
	for rank, l := range g.links {
		if l != nil {
			g.send(rank, g.share(x, rank))
		}
	}
	own := g.share(x, g.Rank)
	phases := 1
	err := g.addShare(own)
	if err == nil {
		phases = 2
		for rank, l := range g.links {
			if l != nil {
				g.send(rank, own)
			}
		}
		for rank, l := range g.links {
			if l != nil && err == nil {
				err = g.takeShare(rank, g.share(x, rank))
			}
		}
	}
	if sent := g.flush(phases); err == nil {
		err = sent
	}
	return err
}

// share is the part of x that a rank adds up.
func (g *Group) share(x numbers, rank int) numbers {
	n := x.len()
	return x.cut(n/g.World*rank+min(rank, n%g.World), n/g.World*(rank+1)+min(rank+1, n%g.World))
}

// addShare adds what all ranks have of this rank's share, in their order.
func (g *Group) addShare(own numbers) error {
	per := blockBytes / own.width()
	for from := 0; ; from += per {
		to := min(from+per, own.len())
		mine := own.cut(from, to)
		sum := g.scratch(mine)
		for rank := range g.World {
			if rank == g.Rank {
				if rank == 0 {
					sum.set(mine)
				} else {
					sum.add(mine)
				}
				continue
			}
			r, err := g.receive(rank)
			if err == nil {
				err = g.fits(rank, r, mine, to == own.len())
			}
			if err != nil {
				return err
			}
			if rank == 0 {
				sum.set(mine.of(r))
			} else {
				sum.add(mine.of(r))
			}
			g.release(rank, r)
		}
		mine.set(sum)
		if to == own.len() {
			return nil
		}
	}
}

// takeShare takes the sum of a rank's share.
func (g *Group) takeShare(rank int, share numbers) error {
	per := blockBytes / share.width()
	for from := 0; ; from += per {
		to := min(from+per, share.len())
		r, err := g.receive(rank)
		if err == nil {
			err = g.fits(rank, r, share.cut(from, to), to == share.len())
		}
		if err != nil {
			return err
		}
		share.cut(from, to).set(share.of(r))
		g.release(rank, r)
		if to == share.len() {
			return nil
		}
	}
}

// fits returns an error unless a block has as much as is wanted of it.
func (g *Group) fits(rank int, r *received, want numbers, end bool) error {
	if len(r.payload) == want.len()*want.width() && (r.kind == last) == end {
		return nil
	}
	g.fail(&RankError{rank, fmt.Errorf("its %v is not of as many numbers as that of rank %d", g.op, g.Rank)})
	return g.ended()
}

// scratch is memory for a partial sum, of as many numbers as like has.
func (g *Group) scratch(like numbers) numbers {
	switch {
	case like.f64 != nil && g.partial.f64 == nil:
		g.partial.f64 = make([]float64, blockBytes/8)
	case like.f32 != nil && g.partial.f32 == nil:
		g.partial.f32 = make([]float32, blockBytes/4)
	}
	if like.f64 != nil {
		return numbers{f64: g.partial.f64[:like.len()]}
	}
	return numbers{f32: g.partial.f32[:like.len()]}
}
