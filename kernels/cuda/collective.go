package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/nccl"
)

var _ kernels.Collective = (*Device)(nil)

// collectiveGroup is a group of processes that NCCL connects.
type collectiveGroup interface {
	AllReduce(address uint64, n int, stream uintptr) error
	AllGather(parts []nccl.Part, stream uintptr) error
	Err() error
	Close() error
}

// exchangeState is the state of the exchange between the cards of several processes. All-reduces
// run in a separate stream. It waits for the computation before each one, and WaitAllReduce makes
// the computation wait for it.
type exchangeState struct {
	open  func() (id []byte, err error)
	join  func(id []byte, rank, world int) (collectiveGroup, error)
	group collectiveGroup

	stream            driver.Stream
	computed, reduced driver.Event
}

// errNoCollective is the error of a device that was opened without NCCL.
var errNoCollective = errors.New("this device exchanges nothing")

// OpenCollective implements kernels.Collective: it opens NCCL.
func (d *Device) OpenCollective() (id []byte, err error) {
	if d.exchange.open == nil {
		return nil, errNoCollective
	}
	return d.exchange.open()
}

// JoinCollective implements kernels.Collective.
func (d *Device) JoinCollective(id []byte, rank, world int) (err error) {
	x := &d.exchange
	if x.join == nil {
		return errNoCollective
	}
	if x.stream, err = d.context.NewStream(); err != nil {
		return err
	}
	for _, e := range []*driver.Event{&x.computed, &x.reduced} {
		if *e, err = d.context.NewEvent(); err != nil {
			return err
		}
	}
	x.group, err = x.join(id, rank, world)
	return err
}

// AllGather implements kernels.Collective.
func (d *Device) AllGather(parts []kernels.Tensor) {
	d.flushCapture()
	if d.err != nil {
		return
	}
	var of []nccl.Part
	for _, p := range parts {
		of = append(of, nccl.Part{Address: p.Address, N: p.Len()})
	}
	d.fail(d.exchange.group.AllGather(of, uintptr(d.stream)))
}

// StartAllReduce implements kernels.Collective.
func (d *Device) StartAllReduce(t kernels.Tensor) {
	d.flushCapture()
	if d.err != nil || t.Len() == 0 {
		return
	}
	x := &d.exchange
	d.fail(errors.Join(d.context.Record(x.computed, d.stream), d.context.StreamWaitEvent(x.stream, x.computed), x.group.AllReduce(t.Address, t.Len(), uintptr(x.stream))))
}

// WaitAllReduce implements kernels.Collective.
func (d *Device) WaitAllReduce() {
	d.flushCapture()
	if d.err != nil {
		return
	}
	x := &d.exchange
	d.fail(errors.Join(d.context.Record(x.reduced, x.stream), d.context.StreamWaitEvent(d.stream, x.reduced), x.group.Err()))
}

// close leaves the group.
func (x *exchangeState) close() error {
	if x.group == nil {
		return nil
	}
	return x.group.Close()
}
