package train

import (
	"fmt"
	"slices"

	"capgraph/kernels"
	"capgraph/train/model"
)

// linked is what processes exchange from card to card, where all can: features are
// gathered there, and gradients are summed while others are computed. Else both go
// through the host, by the group.
type linked struct {
	cards kernels.Collective // nil where they do not
	grads kernels.Tensor
	left  []span // of the gradients, those of which no sum has begun
	least int    // gradients that are worth a sum before those of the whole tower are there
}

// leastAtOnce is 16 MB of gradients: a block of ViT-B has 28 MB.
const leastAtOnce = 4 << 20

// meet lets cards exchange, where those of all processes can. note says why they do
// not.
func (s *share) meet(m *model.Model) (note string, err error) {
	cards, ok := m.Device.(kernels.Collective)
	if s.alone() || !ok {
		return "", nil
	}
	id, missing := cards.OpenCollective()
	var why []byte
	if missing != nil {
		why = []byte(missing.Error())
	}
	all, err := s.group.GatherBytes(why)
	if err != nil {
		return "", err
	}
	for rank, why := range all {
		if len(why) > 0 {
			return fmt.Sprintf("features and gradients are exchanged through the host, over TCP: rank %d has %s", rank, why), nil
		}
	}
	if id, err = s.group.Broadcast(id); err != nil {
		return "", err
	}
	if err := s.group.AnyError(cards.JoinCollective(slices.Clone(id), s.group.Rank, s.group.World)); err != nil {
		return "", fmt.Errorf("the cards cannot exchange: %w; NCCL_DEBUG=INFO says more", err)
	}
	s.cards, s.grads, s.least = cards, m.Grads(), leastAtOnce
	return "", nil
}

// follow lets the sums of a tower's gradients begin while Backward goes on.
func (s *share) follow(e *encoder, of model.Extent) {
	e.extent = of
	e.tape.Through = func(part int) {
		if s.cards == nil || part >= len(of.Blocks) {
			return
		}
		s.cards.Aside(func() {
			if e.final {
				s.ready(of.Blocks[part], of.End, s.least)
			}
		})
	}
}

// ready begins the sums of gradients from first to end-1, as far as they have not
// begun, where there are as many as least.
func (s *share) ready(first, end, least int) {
	var left, now []span
	for _, l := range s.left {
		at := span{max(l.first, first), min(l.last, end)}
		if at.last-at.first < max(least, 1) {
			left = append(left, l)
			continue
		}
		now = append(now, at)
		for _, rest := range []span{{l.first, at.first}, {at.last, l.last}} {
			if rest.first < rest.last {
				left = append(left, rest)
			}
		}
	}
	s.left = left
	for _, at := range now {
		s.cards.SumBegin(part(s.cards, s.grads, at.first, at.last))
	}
}

// towerDone begins the sums of what is left of a tower: in the same order in all
// processes, also in one that had nothing to encode.
func (s *share) towerDone(e *encoder) {
	if s.cards == nil {
		return
	}
	for _, first := range slices.Backward(e.extent.Blocks) {
		s.ready(first, e.extent.End, s.least)
	}
	s.ready(e.extent.First, e.extent.End, 1)
}

// exchange writes to all the parts that the processes have, from card to card.
func (s *share) exchange(all kernels.Tensor, parts ...kernels.Tensor) error {
	var mine []float64
	for _, p := range parts {
		mine = append(mine, float64(p.Len()))
	}
	counts, err := s.group.Gather(mine)
	if err != nil {
		return err
	}
	if len(counts) != len(parts)*s.group.World {
		return errOtherBatches
	}
	var total int
	for _, n := range counts {
		total += int(n)
	}
	if total != all.Len() {
		return errOtherBatches
	}
	at := 0
	for i, p := range parts {
		to := make([]kernels.Tensor, s.group.World)
		for rank := range to {
			n := int(counts[rank*len(parts)+i])
			to[rank] = part(s.cards, all, at, at+n)
			at += n
		}
		if own := to[s.group.Rank]; !own.At(p.Memory) {
			s.cards.Copy(own, p)
		}
		s.cards.Share(to)
	}
	return nil
}
