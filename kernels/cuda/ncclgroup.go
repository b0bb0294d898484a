//go:build cuda && linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"

	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/nccl"
)

// collectiveFuncs returns the functions with which a device opens NCCL and joins a group.
func (m *machine) collectiveFuncs(c driver.Context) (open func() ([]byte, error), join func(id []byte, rank, world int) (collectiveGroup, error)) {
	var library *nccl.Library
	open = func() ([]byte, error) {
		var id nccl.ID
		err := c.Do(func() (err error) {
			if library, err = nccl.Open(m.folders); err == nil {
				id, err = library.NewID()
			}
			return err
		})
		return id[:], err
	}
	join = func(id []byte, rank, world int) (collectiveGroup, error) {
		if library == nil || len(id) != len(nccl.ID{}) {
			return nil, errors.New("a group of NCCL is joined that was not opened")
		}
		x := &ncclGroup{context: c}
		err := c.Do(func() (err error) {
			x.comm, err = library.Join(nccl.ID(id), rank, world)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("rank %d: %w", rank, err)
		}
		return x, nil
	}
	return open, join
}

// ncclGroup calls NCCL with the card's context current.
type ncclGroup struct {
	context driver.Context
	comm    *nccl.Comm
}

func (x *ncclGroup) AllReduce(address uint64, n int, stream uintptr) error {
	return x.context.Do(func() error { return x.comm.AllReduce(address, n, stream) })
}

func (x *ncclGroup) AllGather(parts []nccl.Part, stream uintptr) error {
	return x.context.Do(func() error { return x.comm.AllGather(parts, stream) })
}

func (x *ncclGroup) Err() error { return x.context.Do(x.comm.Err) }

func (x *ncclGroup) Close() error { return x.context.Do(x.comm.Close) }
