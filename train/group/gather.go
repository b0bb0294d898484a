package group

import (
	"errors"
	"fmt"
)

// maxPartBytes is the maximum length of one rank's part.
const maxPartBytes = 1 << 32

// Gather sends part to all ranks and returns the parts of all, concatenated in the order of the ranks. Parts may differ
// in length. The result is valid until the next Gather.
func (g *Group) Gather(part []float64) ([]float64, error) {
	g.gathered = g.gathered[:0]
	err := g.exchangeParts(opGather, numbers{f64: part}, func(rank int, r *receivedBlock) {
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

// GatherBytes sends part to all ranks and returns the parts of all, by rank. They are valid until the next GatherBytes,
// AnyError or Broadcast.
func (g *Group) GatherBytes(part []byte) ([][]byte, error) {
	g.raw, g.ends = g.raw[:0], append(g.ends[:0], make([]int, g.World)...)
	err := g.exchangeParts(opGatherBytes, numbers{raw: part}, func(rank int, r *receivedBlock) {
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

// Barrier waits until all ranks have called it.
func (g *Group) Barrier() error {
	_, err := g.GatherBytes(nil)
	return err
}

// AnyError returns an error on all ranks if any rank passed one: own if it is not nil, otherwise the error of the
// lowest rank that has one.
func (g *Group) AnyError(own error) error {
	var text []byte
	if own != nil {
		text = []byte(own.Error() + " ") // an error with an empty text counts too
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

// Broadcast returns the data of rank 0 on all ranks; those of other ranks are ignored. The result is valid until the
// next Broadcast, GatherBytes or AnyError.
func (g *Group) Broadcast(data []byte) ([]byte, error) {
	if err := g.beginOperation(opBroadcast); err != nil {
		return nil, err
	}
	g.raw = g.raw[:0]
	if g.Rank > 0 {
		err := g.receivePart(0, func(_ int, r *receivedBlock) { g.raw = append(g.raw, r.payload...) })
		return g.raw, err
	}
	for rank := 1; rank < g.World; rank++ {
		g.queuePart(rank, numbers{raw: data})
	}
	g.raw = append(g.raw, data...)
	return g.raw, g.waitSent(1)
}

// exchangeParts sends a part to all other ranks and calls visit for the blocks of all parts, in the order of the ranks.
// For the part of this rank, visit is called once, with nil.
func (g *Group) exchangeParts(op operation, part numbers, visit func(rank int, r *receivedBlock)) error {
	if err := g.beginOperation(op); err != nil {
		return err
	}
	if g.World == 1 {
		visit(0, nil)
		return nil
	}
	for rank, l := range g.links {
		if l != nil {
			g.queuePart(rank, part)
		}
	}
	var err error
	for rank := 0; rank < g.World && err == nil; rank++ {
		if rank == g.Rank {
			visit(rank, nil)
		} else {
			err = g.receivePart(rank, visit)
		}
	}
	if sent := g.waitSent(1); err == nil {
		err = sent
	}
	return err
}

// receivePart receives a rank's part and calls visit for each of its blocks.
func (g *Group) receivePart(rank int, visit func(rank int, r *receivedBlock)) error {
	for bytes := 0; ; {
		r, err := g.receiveBlock(rank)
		if err != nil {
			return err
		}
		if bytes += len(r.payload); bytes > maxPartBytes {
			g.endWith(&RankError{rank, fmt.Errorf("its part of a %v is longer than %d bytes", g.op, maxPartBytes)})
			return g.endError()
		}
		visit(rank, r)
		end := r.kind == kindLastBlock
		g.releaseBlock(rank, r)
		if end {
			return nil
		}
	}
}
