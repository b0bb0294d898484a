package group

import "fmt"

// Sum replaces x on all ranks by its sum over the ranks: x of rank 0, plus x of rank 1, and so on, rounded after each addition. x has the same length on all ranks.
func (g *Group) Sum(x []float64) error { return g.allReduce(opSum, numbers{f64: x}) }

// Sum32 is Sum of float32: each addition is rounded to float32.
func (g *Group) Sum32(x []float32) error { return g.allReduce(opSum32, numbers{f32: x}) }

// allReduce replaces x by its sum over the ranks. Each rank sums one segment of x and sends it to all others. A rank
// sends and receives less than twice the size of x, whatever the number of ranks.
func (g *Group) allReduce(op operation, x numbers) error {
	if g.World == 1 {
		return g.beginOperation(op)
	}
	if err := g.beginOperation(op); err != nil {
		return err
	}
	for rank, l := range g.links {
		if l != nil {
			g.queuePart(rank, g.rankSegment(x, rank))
		}
	}
	own := g.rankSegment(x, g.Rank)
	phases := 1
	err := g.reduceSegment(own)
	if err == nil {
		phases = 2
		for rank, l := range g.links {
			if l != nil {
				g.queuePart(rank, own)
			}
		}
		for rank, l := range g.links {
			if l != nil && err == nil {
				err = g.receiveSegment(rank, g.rankSegment(x, rank))
			}
		}
	}
	if sent := g.waitSent(phases); err == nil {
		err = sent
	}
	return err
}

// rankSegment returns the segment of x that a rank sums.
func (g *Group) rankSegment(x numbers, rank int) numbers {
	n := x.len()
	return x.slice(n/g.World*rank+min(rank, n%g.World), n/g.World*(rank+1)+min(rank+1, n%g.World))
}

// reduceSegment sums this rank's segment over all ranks, in their order.
func (g *Group) reduceSegment(own numbers) error {
	per := blockBytes / own.elementBytes()
	for from := 0; ; from += per {
		to := min(from+per, own.len())
		mine := own.slice(from, to)
		sum := g.partialSums(mine)
		for rank := range g.World {
			if rank == g.Rank {
				if rank == 0 {
					sum.copyFrom(mine)
				} else {
					sum.add(mine)
				}
				continue
			}
			r, err := g.receiveBlock(rank)
			if err == nil {
				err = g.checkBlock(rank, r, mine, to == own.len())
			}
			if err != nil {
				return err
			}
			if rank == 0 {
				sum.copyFrom(mine.viewBlock(r))
			} else {
				sum.add(mine.viewBlock(r))
			}
			g.releaseBlock(rank, r)
		}
		mine.copyFrom(sum)
		if to == own.len() {
			return nil
		}
	}
}

// receiveSegment receives the sum of the segment that another rank has summed, and writes it to share.
func (g *Group) receiveSegment(rank int, share numbers) error {
	per := blockBytes / share.elementBytes()
	for from := 0; ; from += per {
		to := min(from+per, share.len())
		r, err := g.receiveBlock(rank)
		if err == nil {
			err = g.checkBlock(rank, r, share.slice(from, to), to == share.len())
		}
		if err != nil {
			return err
		}
		share.slice(from, to).copyFrom(share.viewBlock(r))
		g.releaseBlock(rank, r)
		if to == share.len() {
			return nil
		}
	}
}

// checkBlock returns an error unless a block has the length of want and is the last one exactly if end is true.
func (g *Group) checkBlock(rank int, r *receivedBlock, want numbers, end bool) error {
	if len(r.payload) == want.len()*want.elementBytes() && (r.kind == kindLastBlock) == end {
		return nil
	}
	g.endWith(&RankError{rank, fmt.Errorf("its %v has another length than that of rank %d", g.op, g.Rank)})
	return g.endError()
}

// partialSums returns memory for partial sums, of the type and length of like.
func (g *Group) partialSums(like numbers) numbers {
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
