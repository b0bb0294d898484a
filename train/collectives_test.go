package train

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"capgraph/kernels"
	"capgraph/testing/golden"
	"capgraph/train/group"
)

// fakeNetwork is where devices of one process stand for cards that exchange.
type fakeNetwork struct {
	mutex  sync.Mutex
	turn   *sync.Cond
	world  int
	given  [][]kernels.Tensor
	turns  int
	sums   []int // how many numbers each sum was of
	missed error // what a device lacks
}

// rendezvous waits until all ranks have come; the last does something with what they gave.
func (m *fakeNetwork) rendezvous(rank int, what []kernels.Tensor, last func(given [][]kernels.Tensor)) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.given == nil {
		m.given = make([][]kernels.Tensor, m.world)
	}
	now, here := m.turns, 0
	m.given[rank] = what
	for _, g := range m.given {
		if g != nil {
			here++
		}
	}
	if here == m.world {
		last(m.given)
		m.given, m.turns = nil, m.turns+1
		m.turn.Broadcast()
	}
	for now == m.turns {
		m.turn.Wait()
	}
}

var _ kernels.Collective = (*networkDevice)(nil)

// networkDevice is the plain device with the others of a meeting.
type networkDevice struct {
	*kernels.Reference
	meeting *fakeNetwork
	rank    int
}

func (d *networkDevice) NewRecording() kernels.Recording { return kernels.NoRecording{} }
func (d *networkDevice) RunUnrecorded(f func())          { f() }

func (d *networkDevice) OpenCollective() ([]byte, error) {
	if d.rank == 1 && d.meeting.missed != nil {
		return nil, d.meeting.missed
	}
	return []byte{byte(d.rank + 7)}, nil
}

func (d *networkDevice) JoinCollective(id []byte, rank, world int) error {
	if len(id) != 1 || id[0] != 7 || world != d.meeting.world {
		return fmt.Errorf("the group of rank %d is %v", rank, id)
	}
	d.rank = rank
	return nil
}

func (d *networkDevice) AllGather(parts []kernels.Tensor) {
	d.meeting.rendezvous(d.rank, parts, func(given [][]kernels.Tensor) {
		for _, to := range given {
			for rank, p := range to {
				copy(p.F64, given[rank][rank].F64)
			}
		}
	})
}

func (d *networkDevice) StartAllReduce(t kernels.Tensor) {
	d.meeting.rendezvous(d.rank, []kernels.Tensor{t}, func(given [][]kernels.Tensor) {
		d.meeting.sums = append(d.meeting.sums, t.Len())
		for i := range t.F64 {
			var sum float64
			for _, g := range given {
				sum += g[0].F64[i]
			}
			for _, g := range given {
				g[0].F64[i] = sum
			}
		}
	})
}

func (d *networkDevice) WaitAllReduce() {}

// Cards that exchange by themselves, block by block of the towers, make the step that
// one process makes; also where one of them has no text to encode.
func TestLinkedCardsMakeTheStepOfOneProcess(t *testing.T) {
	g := readGolden(t)
	c := g.Cases[slices.IndexFunc(g.Cases, func(c golden.Case) bool { return c.Objective == "clip" })]
	for _, memory := range []Batch{{}, {ChunkTokens: 20}, {Recompute: RecomputeBlocks}} {
		one := newGoldenRun(t, kernels.NewReference(), g, c, memory)
		want, err := runSteps(one, 2)
		if err != nil {
			t.Fatal(err)
		}
		const world = 2
		m := &fakeNetwork{world: world}
		m.turn = sync.NewCond(&m.mutex)
		outcomes := make([]outcome, world)
		var runs []*goldenRun
		for rank := range world {
			runs = append(runs, newGoldenRun(t, &networkDevice{kernels.NewReference(), m, rank}, g, c, memory))
			limitToRank(runs[rank], rank, world, false)
		}
		err = runRanks(t, world, func(g *group.Group) (err error) {
			r := runs[g.Rank]
			r.parallel.group = g
			note, err := r.parallel.joinCollectives(r.model)
			if note != "" || err != nil {
				return errors.Join(errors.New(note), err)
			}
			r.parallel.cards.minElements = 1
			outcomes[g.Rank], err = runSteps(r, 2)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for rank, got := range outcomes {
			for i, v := range got.gradients {
				if !near(v, want.gradients[i], 1e-9) {
					t.Fatalf("%+v, rank %d: gradient %d is %v, not %v", memory, rank, i, v, want.gradients[i])
				}
			}
			if !slices.Equal(got.weights, outcomes[0].weights) {
				t.Errorf("%+v: ranks have other weights", memory)
			}
		}
		blocks := len(runs[0].image.extent.Blocks) + len(runs[0].text.extent.Blocks)
		if n := len(m.sums) / 2; n < blocks+2 {
			t.Errorf("%+v: %d sums a step, of %d blocks", memory, n, blocks)
		}
	}
}

// Where one process lacks the library, all go through the host and say so.
func TestCardsThatCannotExchange(t *testing.T) {
	g := readGolden(t)
	m := &fakeNetwork{world: 2, missed: errors.New("no NCCL")}
	runs := []*goldenRun{}
	for rank := range 2 {
		runs = append(runs, newGoldenRun(t, &networkDevice{kernels.NewReference(), m, rank}, g, g.Cases[0], Batch{}))
	}
	err := runRanks(t, 2, func(g *group.Group) error {
		r := runs[g.Rank]
		r.parallel.group = g
		note, err := r.parallel.joinCollectives(r.model)
		if want := "features and gradients are exchanged through the host, over TCP: rank 1 has no NCCL"; note != want || r.parallel.cards.device != nil {
			err = errors.Join(err, errors.New(note))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
