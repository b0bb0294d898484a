//go:build cuda && linux && (amd64 || arm64)

package nccl

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"capgraph/testing/cudastub"
)

func at(x []float32) uint64 { return uint64(uintptr(unsafe.Pointer(&x[0]))) }

// Three processes, which are goroutines, sum and share.
func TestSumsAndShares(t *testing.T) {
	s := cudastub.Build(t)
	l, err := Open([]string{s.Folder})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := l.Version(); v != 22705 || err != nil || !strings.Contains(l.Path(), libraryFile) {
		t.Errorf("version %d of %s, %v", v, l.Path(), err)
	}
	id, err := l.NewID()
	if err != nil || id[0] != 1 || id[127] != 128 {
		t.Fatal(id, err)
	}
	const world, stream = 3, 9
	var all sync.WaitGroup
	failed := make([]error, world)
	for rank := range world {
		all.Go(func() {
			c, err := l.Join(id, rank, world)
			if err != nil {
				failed[rank] = err
				return
			}
			sum, shared := []float32{1, float32(rank), 100}, make([]float32, 5)
			shared[rank] = float32(10 + rank)
			err = errors.Join(
				c.AllReduce(at(sum), 2, stream),
				c.AllGather([]Part{{at(shared), 1}, {at(shared[1:]), 1}, {at(shared[2:]), 0}}, stream), c.Err(), c.Close())
			if want := []float32{3, 3, 100}; !slices.Equal(sum, want) {
				err = errors.Join(err, errors.New("another sum"))
			}
			want := []float32{10, 11, 0, 0, 0}
			if rank == 2 {
				want[2] = 12 // it shares nothing of this
			}
			if !slices.Equal(shared, want) {
				err = errors.Join(err, errors.New("another share"))
			}
			failed[rank] = err
		})
	}
	all.Wait()
	for rank, err := range failed {
		if err != nil {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	s := cudastub.Build(t)
	if _, err := Open([]string{t.TempDir()}); err != nil && !strings.Contains(err.Error(), "no NCCL: libnccl.so.2 cannot be opened") {
		t.Error(err)
	}
	l, err := Open([]string{s.Folder})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Join(ID{}, 0, 1); err == nil || !strings.Contains(err.Error(), "ncclCommInitRank: an argument is wrong") {
		t.Error(err)
	}
	id, _ := l.NewID()
	c, err := l.Join(id, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.SetRefuse(1)
	if err := c.Err(); err == nil || err.Error() != "an exchange between cards: another process failed, or the network to it (NCCL result 6); NCCL_DEBUG=WARN says more" {
		t.Error(err)
	}
	s.SetRefuse(0)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
