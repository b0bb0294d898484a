package cuda

import (
	"errors"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/nccl"
)

var _ kernels.Collective = (*Device)(nil)

// exchanger is NCCL, in a group of processes.
type exchanger interface {
	Sum(address uint64, n int, stream uintptr) error
	Share(parts []nccl.Part, stream uintptr) error
	Err() error
	Close() error
}

// exchange is what goes on between the cards of several processes: in a stream of its
// own, which follows that of the computation where a sum begins, and is followed by it
// where all have ended.
type exchange struct {
	open  func() (id []byte, err error)
	join  func(id []byte, rank, world int) (exchanger, error)
	group exchanger

	stream       driver.Stream
	begun, ended driver.Event
}

// errNoCollective is the error of a device that was opened without a way to NCCL.
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
	for _, e := range []*driver.Event{&x.begun, &x.ended} {
		if *e, err = d.context.NewEvent(); err != nil {
			return err
		}
	}
	x.group, err = x.join(id, rank, world)
	return err
}

// Share implements kernels.Collective.
func (d *Device) Share(parts []kernels.Tensor) {
	d.flush()
	if d.err != nil {
		return
	}
	var of []nccl.Part
	for _, p := range parts {
		of = append(of, nccl.Part{Address: p.Address, N: p.Len()})
	}
	d.fail(d.exchange.group.Share(of, uintptr(d.stream)))
}

// SumBegin implements kernels.Collective.
func (d *Device) SumBegin(t kernels.Tensor) {
	d.flush()
	if d.err != nil || t.Len() == 0 {
		return
	}
	x := &d.exchange
	d.fail(errors.Join(d.context.Record(x.begun, d.stream), d.context.Follow(x.stream, x.begun), x.group.Sum(t.Address, t.Len(), uintptr(x.stream))))
}

// SumEnd implements kernels.Collective.
func (d *Device) SumEnd() {
	d.flush()
	if d.err != nil {
		return
	}
	x := &d.exchange
	d.fail(errors.Join(d.context.Record(x.ended, x.stream), d.context.Follow(d.stream, x.ended), x.group.Err()))
}

// close leaves the group.
func (x *exchange) close() error {
	if x.group == nil {
		return nil
	}
	return x.group.Close()
}
