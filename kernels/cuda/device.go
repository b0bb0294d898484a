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

// ErrNotBuilt is the error of a build without CUDA.
var ErrNotBuilt = driver.ErrNotBuilt

// Precision is the type of numbers that matrix products with weights read.
type Precision int

// The precisions: rounded to bf16, or float32, which is several times slower and is meant for
// comparisons.
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

// function is a kernel, loaded on the card.
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
	stream    driver.Stream // of computations
	copies    driver.Stream // of copies from the host
	functions map[string]function

	exchange exchangeState // with other processes

	err         error
	allocations map[uint64]uint64 // bytes by address
	heldBytes   uint64
	scratch     *kernels.Arena // of one operation
	uploads     uploads
	transfer    []byte // pinned memory, through which tensors are read and written

	recordings map[*recording]bool // all that are not freed

	inputRecording *recording // the one that receives indices and bytes; nil if there is none
	capturing      *recording // the one that records the stream's calls; nil if there is none
	noGraphs       bool       // the driver does not support graphs
	freedCount     uint64     // how often memory was freed: a recording may use freed memory
}

// newDevice loads the kernels into a context. If that fails, it closes the context.
func newDevice(c driver.Context, name string, precision Precision) (*Device, error) {
	d := &Device{name: name, precision: precision, context: c, functions: map[string]function{}, allocations: map[uint64]uint64{}, recordings: map[*recording]bool{}}
	d.scratch = kernels.NewArena(d, 0)
	if err := d.loadKernels(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return d, nil
}

// loadKernels loads the kernels and makes streams and transfer memory.
func (d *Device) loadKernels() error {
	all, err := ptx.Kernels()
	if err != nil {
		return err
	}
	module, err := d.context.LoadModule(ptx.Module())
	if err != nil {
		return err
	}
	for name, k := range all {
		handle, err := d.context.FindFunction(module, name)
		if err != nil {
			return err
		}
		d.functions[name] = function{k, handle}
	}
	if d.transfer, err = d.context.AllocPinned(transferBytes); err != nil {
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

// fail keeps err as the device's error if it is the first one.
func (d *Device) fail(err error) {
	if d.err == nil && err != nil {
		d.err = fmt.Errorf("%s: %w", d.name, err)
	}
}

// launch starts the kernel capgraph_name; see ptx.Kernel.Launch.
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
	if err == nil && !l.IsEmpty() {
		err = d.context.Launch(f.handle, l.Grid, ptx.Block, d.stream, l.Arguments)
	}
	if err != nil {
		d.fail(fmt.Errorf("kernel %s: %w", name, err))
	}
}

// none is a null pointer.
const none = uint64(0)

// resetScratch frees all scratch memory. Each operation that needs scratch memory calls it first.
func (d *Device) resetScratch() { d.scratch.Reset() }

// scratchFloats allocates scratch memory for n float32 numbers and returns its address.
func (d *Device) scratchFloats(n int) uint64 { return d.scratch.Tensor(1, n).Address }

// scratchHalves allocates scratch memory for n bf16 numbers and returns its address.
func (d *Device) scratchHalves(n int) uint64 { return d.scratchFloats((n + 1) / 2) }

// Close implements kernels.Device.
func (d *Device) Close() error {
	d.flushCapture()
	errs := []error{d.context.Wait(d.copies), d.context.Wait(d.stream)}
	for r := range d.recordings {
		errs = append(errs, r.freeGraphs())
	}
	errs = append(errs, d.exchange.close())
	if d.products != nil {
		errs = append(errs, d.products.Close())
	}
	d.scratch.Free()
	errs = append(errs, d.uploads.close(), d.context.FreePinned(d.transfer))
	for address := range d.allocations {
		errs = append(errs, d.context.Free(address))
	}
	return errors.Join(append(errs, d.context.Close())...)
}
