package group

import (
	"errors"
	"fmt"
)

// mostPart is the longest part of one rank, in bytes.
const mostPart = 1 << 32

// Gather is the parts of all ranks, one after the other in their order, on all of
// them. Parts may differ in length. It is memory of the group, valid until the next
// Gather.
func (g *Group) Gather(part []float64) ([]float64, error) {
	g.gathered = g.gathered[:0]
	err := g.exchange(opGather, numbers{f64: part}, func(rank int, r *received) {
		if r == nil {
			g.gathered = append(g.gathered, part...)
			return
		}
		g.gathered = append(g.gathered, r.memory[:len(r.payload)/8]...)
	})
	if err != nil {
		return nil, err
	}
	return g.gathered, nil
}

// GatherBytes is the parts of all ranks, by rank, on all of them. They are memory
// of the group, valid until the next GatherBytes, AnyError or Broadcast.
func (g *Group) GatherBytes(part []byte) ([][]byte, error) {
	g.raw, g.ends = g.raw[:0], append(g.ends[:0], make([]int, g.World)...)
	err := g.exchange(opGatherBytes, numbers{raw: part}, func(rank int, r *received) {
		if r == nil {
			g.raw = append(g.raw, part...)
		} else {
			g.raw = append(g.raw, r.payload...)
		}
		g.ends[rank] = len(g.raw)
	})
	if err != nil {
		return nil, err
	}
	g.parts = g.parts[:0]
	first := 0
	for _, end := range g.ends {
		g.parts = append(g.parts, g.raw[first:end:end])
		first = end
	}
	return g.parts, nil
}

// Barrier waits until all ranks have come to it.
func (g *Group) Barrier() error {
	_, err := g.GatherBytes(nil)
	return err
}

// AnyError is an error on all ranks where it got one on any: its own, or that of
// the first rank that has one.
func (g *Group) AnyError(own error) error {
	var text []byte
	if own != nil {
		text = []byte(own.Error() + " ") // an error without words is one too
		text = text[:min(len(text), 4096)]
	}
	texts, err := g.GatherBytes(text)
	if own != nil {
		return &RankError{g.Rank, own}
	}
	if err != nil {
		return err
	}
	for rank, text := range texts {
		if len(text) > 0 {
			return &RankError{rank, errors.New(string(text[:len(text)-1]))}
		}
	}
	return nil
}

// Broadcast is what rank 0 gave, on all ranks; what the others give is ignored. It
// is memory of the group, valid until the next Broadcast, GatherBytes or AnyError.
func (g *Group) Broadcast(what []byte) ([]byte, error) {
	if err := g.begin(opBroadcast); err != nil {
		return nil, err
	}
	g.raw = g.raw[:0]
	if g.Rank > 0 {
		err := g.take(0, func(_ int, r *received) { g.raw = append(g.raw, r.payload...) })
		return g.raw, err
	}
	for rank := 1; rank < g.World; rank++ {
		g.send(rank, numbers{raw: what})
	}
	g.raw = append(g.raw, what...)
	return g.raw, g.flush(1)
}

// exchange sends a part to all others and visits the blocks of all parts in the
// order of ranks; that of this rank is nil.
func (g *Group) exchange(op operation, part numbers, visit func(rank int, r *received)) error {
	if err := g.begin(op); err != nil {
		return err
	}
	if g.World == 1 {
		visit(0, nil)
		return nil
	}
	for rank, l := range g.links {
		if l != nil {
			g.send(rank, part)
		}
	}
	var err error
	for rank := 0; rank < g.World && err == nil; rank++ {
		if rank == g.Rank {
			visit(rank, nil)
		} else {
			err = g.take(rank, visit)
		}
	}
	if sent := g.flush(1); err == nil {
		err = sent
	}
	return err
}

// take visits the blocks of a rank's part.
func (g *Group) take(rank int, visit func(rank int, r *received)) error {
	for bytes := 0; ; {
		r, err := g.receive(rank)
		if err != nil {
			return err
		}
		if bytes += len(r.payload); bytes > mostPart {
			g.fail(&RankError{rank, fmt.Errorf("its part of a %v is longer than %d bytes", g.op, mostPart)})
			return g.ended()
		}
		visit(rank, r)
		end := r.kind == last
		g.release(rank, r)
		if end {
			return nil
		}
	}
}
