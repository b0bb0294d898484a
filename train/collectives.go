package train

import (
	"fmt"
	"slices"

	"capgraph/kernels"
	"capgraph/train/model"
)

// collectives exchanges features and gradients directly between cards, if the cards of all
// processes support it. It sums the first gradients while others are still computed. The zero value
// has no device: the group exchanges through the host instead.
type collectives struct {
	device    kernels.Collective
	gradients kernels.Tensor
	// pending are the ranges of gradients whose all-reduce has not started in this step.
	pending []span
	// minElements is the least number of gradients in an all-reduce that starts before their tower
	// is complete.
	minElements int
}

// minAllReduce is the value of minElements: 16 MB of gradients. A block of ViT-B has 28 MB.
const minAllReduce = 4 << 20

// joinCollectives sets p.cards, so that the cards exchange directly, if all of them can. Otherwise
// note says why not.
func (p *dataParallel) joinCollectives(m *model.Model) (note string, err error) {
	cards, ok := m.Device.(kernels.Collective)
	if p.isSingle() || !ok {
		return "", nil
	}
	id, missing := cards.OpenCollective()
	var why []byte
	if missing != nil {
		why = []byte(missing.Error())
	}
	all, err := p.group.GatherBytes(why)
	if err != nil {
		return "", err
	}
	for rank, why := range all {
		if len(why) > 0 {
			return fmt.Sprintf("features and gradients are exchanged through the host, over TCP: rank %d has %s", rank, why), nil
		}
	}
	if id, err = p.group.Broadcast(id); err != nil {
		return "", err
	}
	if err := p.group.AnyError(cards.JoinCollective(slices.Clone(id), p.group.Rank, p.group.World)); err != nil {
		return "", fmt.Errorf("the cards cannot exchange: %w; NCCL_DEBUG=INFO says more", err)
	}
	p.cards = collectives{device: cards, gradients: m.Gradients(), pending: p.cards.pending, minElements: minAllReduce}
	return "", nil
}

// overlapAllReduce starts the all-reduce of each block's gradients while Backward computes the
// next ones.
func (c *collectives) overlapAllReduce(e *towerEncoder, extent model.Extent) {
	e.extent = extent
	e.tape.OnPartDone = func(part int) {
		if c.device == nil || part >= len(extent.Blocks) {
			return
		}
		c.device.RunUnrecorded(func() {
			if e.isLastChunk {
				c.startAllReduce(extent.Blocks[part], extent.End, c.minElements)
			}
		})
	}
}

// beginStep marks all n gradients as pending.
func (c *collectives) beginStep(n int) { c.pending = append(c.pending[:0], span{0, n}) }

// startAllReduce starts the all-reduce of the pending gradients in [first, end). Ranges of fewer
// than least gradients stay pending.
func (c *collectives) startAllReduce(first, end, least int) {
	var pending, started []span
	for _, l := range c.pending {
		both := span{max(l.first, first), min(l.last, end)}
		if both.last-both.first < max(least, 1) {
			pending = append(pending, l)
			continue
		}
		started = append(started, both)
		for _, rest := range []span{{l.first, both.first}, {both.last, l.last}} {
			if rest.first < rest.last {
				pending = append(pending, rest)
			}
		}
	}
	c.pending = pending
	for _, s := range started {
		c.device.StartAllReduce(sliceTensor(c.device, c.gradients, s.first, s.last))
	}
}

// startTowerAllReduce starts the all-reduce of all pending gradients of a tower. The order is the
// same in all processes, even in a process without images or texts to encode.
func (c *collectives) startTowerAllReduce(e *towerEncoder) {
	if c.device == nil {
		return
	}
	for _, first := range slices.Backward(e.extent.Blocks) {
		c.startAllReduce(first, e.extent.End, c.minElements)
	}
	c.startAllReduce(e.extent.First, e.extent.End, 1)
}

// allGatherOnDevice is allGather directly between cards.
func (p *dataParallel) allGatherOnDevice(all kernels.Tensor, parts ...kernels.Tensor) error {
	var lengths []float64
	for _, part := range parts {
		lengths = append(lengths, float64(part.Len()))
	}
	counts, err := p.group.Gather(lengths)
	if err != nil {
		return err
	}
	if len(counts) != len(parts)*p.group.World {
		return errBatchesDiffer
	}
	var total int
	for _, n := range counts {
		total += int(n)
	}
	if total != all.Len() {
		return errBatchesDiffer
	}
	device, at := p.cards.device, 0
	for i, part := range parts {
		to := make([]kernels.Tensor, p.group.World)
		for rank := range to {
			n := int(counts[rank*len(parts)+i])
			to[rank] = sliceTensor(device, all, at, at+n)
			at += n
		}
		if own := to[p.group.Rank]; !own.StartsAt(part.Memory) {
			device.Copy(own, part)
		}
		device.AllGather(to)
	}
	return nil
}
