package cuda

import (
	"errors"
	"fmt"

	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/ptx"
)

var _ kernels.Device = (*Device)(nil)

// ErrNotBuilt is the error of a build that has no CUDA.
var ErrNotBuilt = driver.ErrNotBuilt

// Precision is what products of weights are computed of.
type Precision int

// The precisions: numbers rounded to bf16, or float32 as they are, which is several
// times slower and is there to compare with.
const (
	BFloat16 Precision = iota
	Float32
)

func (p Precision) String() string {
	if p == Float32 {
		return "float32"
	}
	return "bf16"
}

// multiplier is cuBLASLt.
type multiplier interface {
	Multiply(p *cublaslt.Product, stream uintptr) error
	Close() error
}

// function is a kernel, found on the card.
type function struct {
	ptx.Kernel
	handle driver.Function
}

// Device computes on one card. It is for one goroutine at a time.
type Device struct {
	name      string
	precision Precision
	context   driver.Context
	products  multiplier
	stream    driver.Stream // what is computed
	copies    driver.Stream // from the host
	functions map[string]function

	exchange exchange // with other processes

	err      error
	held     map[uint64]uint64 // bytes by address
	holds    uint64
	scratch  *kernels.Arena // of one operation
	uploads  uploads
	transfer []byte // pinned, through which tensors are read and written

	recordings map[*recording]bool // those that are not free

	inputs   *recording // that indices and bytes are put to
	keeping  *recording // that keeps what the stream is asked
	noGraphs bool       // the driver has none
	given    uint64     // how often memory was given back: what was kept may rest on it
}

// newDevice loads the kernels into a context. It closes the context where it fails.
func newDevice(c driver.Context, name string, precision Precision) (*Device, error) {
	d := &Device{name: name, precision: precision, context: c, functions: map[string]function{}, held: map[uint64]uint64{}, recordings: map[*recording]bool{}}
	d.scratch = kernels.NewArena(d, 0)
	if err := d.load(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return d, nil
}

func (d *Device) load() error {
	all, err := ptx.Kernels()
	if err != nil {
		return err
	}
	module, err := d.context.Load(ptx.Module())
	if err != nil {
		return err
	}
	for name, k := range all {
		handle, err := d.context.Function(module, name)
		if err != nil {
			return err
		}
		d.functions[name] = function{k, handle}
	}
	if d.transfer, err = d.context.Pinned(transferBytes); err != nil {
		return err
	}
	if d.stream, err = d.context.NewStream(); err != nil {
		return err
	}
	if d.copies, err = d.context.NewStream(); err != nil {
		return err
	}
	return d.uploads.open(d)
}

// Name implements kernels.Device.
func (d *Device) Name() string { return d.name }

// Err implements kernels.Device.
func (d *Device) Err() error { return d.err }

// fail keeps the first error.
func (d *Device) fail(err error) {
	if d.err == nil && err != nil {
		d.err = fmt.Errorf("%s: %w", d.name, err)
	}
}

// launch starts the kernel capgraph_name: see ptx.Kernel.Launch.
func (d *Device) launch(name string, values ...any) {
	if d.err != nil {
		return
	}
	f, ok := d.functions["capgraph_"+name]
	if !ok {
		d.fail(fmt.Errorf("there is no kernel %s", name))
		return
	}
	l, err := f.Launch(values...)
	if err == nil && !l.Empty() {
		err = d.context.Launch(f.handle, l.Grid, ptx.Block, d.stream, l.Arguments)
	}
	if err != nil {
		d.fail(fmt.Errorf("kernel %s: %w", name, err))
	}
}

// none is a pointer to nothing.
const none = uint64(0)

// begin makes all scratch memory free: each operation begins with it, and takes what
// it needs.
func (d *Device) begin() { d.scratch.Empty() }

// floats takes scratch memory for n numbers.
func (d *Device) floats(n int) uint64 { return d.scratch.Tensor(1, n).Address }

// halves takes scratch memory for n numbers of bf16.
func (d *Device) halves(n int) uint64 { return d.floats((n + 1) / 2) }

// Close implements kernels.Device.
func (d *Device) Close() error {
	d.flush()
	errs := []error{d.context.Wait(d.copies), d.context.Wait(d.stream)}
	for r := range d.recordings {
		errs = append(errs, r.forget())
	}
	errs = append(errs, d.exchange.close())
	if d.products != nil {
		errs = append(errs, d.products.Close())
	}
	d.scratch.Free()
	errs = append(errs, d.uploads.close(), d.context.Unpin(d.transfer))
	for address := range d.held {
		errs = append(errs, d.context.Free(address))
	}
	return errors.Join(append(errs, d.context.Close())...)
}
