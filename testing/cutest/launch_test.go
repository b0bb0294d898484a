package cutest

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"capgraph/kernels"
	"capgraph/kernels/cuda/ptx"
)

// extra is how many rows, images, sequences, … a padded launch has behind those
// that there are.
const extra = 3

// device launches the kernels as a CUDA device does, on a machine.
type device struct {
	machine *Machine
	kernels map[string]ptx.Kernel
	order   Order
	seed    uint64
	// padded launches are of more rows than there are, whose number is in memory, as
	// those of a recorded step are.
	padded bool
}

// compiled are the kernels, once for all tests.
var compiled = sync.OnceValues(func() (*Machine, error) { return New("../../kernels") })

// machine runs the kernels, or skips the test where there is no compiler.
func machine(t testing.TB) *Machine {
	m, err := compiled()
	if errors.Is(err, ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newDevice(t testing.TB, m *Machine) *device {
	all, err := ptx.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	return &device{machine: m, kernels: all}
}

// rows stands for two arguments: where the number of rows is, or none, and the
// most that there can be.
type rows int

// bucket is a number of rows that is raised as that of rows is.
type bucket int

// packed is a matrix with per rows for each of rows; its padding holds nonsense,
// and is to be 0 afterwards where the kernel writes to it.
type packed struct {
	kernels.Tensor
	per int
	// added to is what has a padding of 0 before.
	added bool
}

func rowsOf(t kernels.Tensor) packed { return packed{Tensor: t, per: 1} }
func gradOf(g kernels.Grad) packed   { return packed{Tensor: g.Tensor, per: 1, added: g.Add} }

// whole is a packed matrix whose padding may be anything afterwards.
type whole struct{ packed }

// entries are indices of which there is one for each of rows; parts has one more.
type (
	entries struct{ kernels.Ints }
	parts   struct{ kernels.Ints }
)

// call is a launch being made.
type call struct {
	d       *device
	kernel  ptx.Kernel
	values  []any
	regions []Region
	after   []func()
	keep    []any
}

// run launches a kernel; values may be what Kernel.Launch takes and memory.
func (d *device) run(name string, values ...any) {
	k, ok := d.kernels["capgraph_"+name]
	if !ok {
		panic("no kernel " + name)
	}
	c := &call{d: d, kernel: k}
	for _, v := range values {
		c.add(v)
	}
	l, err := k.Launch(c.values...)
	if err == nil {
		err = d.machine.Launch(l, d.order, d.seed, c.regions)
	}
	if err != nil {
		panic(err)
	}
	for _, f := range c.after {
		f()
	}
	runtime.KeepAlive(c.keep)
}

func (c *call) add(value any) {
	switch v := value.(type) {
	case rows:
		if c.d.padded {
			point(c, []int32{int32(v)})
		} else {
			c.values = append(c.values, uint64(0))
		}
		c.values = append(c.values, int(v)+c.d.more())
	case bucket:
		c.values = append(c.values, int(v)+c.d.more())
	case packed:
		c.pad(v, true)
	case whole:
		c.pad(v.packed, false)
	case entries:
		c.indices(v.Host, c.d.more())
	case parts:
		c.indices(v.Host, c.d.more())
	case table:
		c.table(v)
	case kernels.Grad:
		point(c, v.F32)
	case kernels.Tensor:
		point(c, v.F32)
	case kernels.Ints:
		point(c, v.Host)
	case kernels.Bytes:
		point(c, v.Host)
	case []float32:
		point(c, v)
	case []uint16:
		point(c, v)
	case []int32:
		point(c, v)
	default:
		c.values = append(c.values, v)
	}
}

// point adds memory; none where there are no elements.
func point[T any](c *call, memory []T) {
	if len(memory) == 0 {
		c.values = append(c.values, uint64(0))
		return
	}
	at := uint64(uintptr(unsafe.Pointer(&memory[0])))
	c.values = append(c.values, at)
	c.regions = append(c.regions, Region{Address: at, Bytes: uint64(len(memory)) * uint64(unsafe.Sizeof(memory[0]))})
	c.keep = append(c.keep, memory)
}

// indices adds indices with nonsense behind them.
func (c *call) indices(host []int32, more int) {
	host = host[:len(host):len(host)]
	for range more {
		host = append(host, math.MinInt32)
	}
	point(c, host)
}

// pad adds a matrix, or a copy with padding.
func (c *call) pad(p packed, zero bool) {
	if p.IsNone() || !c.d.padded {
		point(c, p.F32)
		return
	}
	n := p.Len()
	padding := extra * p.per * p.Cols
	long := make([]float32, n+padding)
	copy(long, p.F32[:n])
	for i := range padding {
		long[n+i] = float32(math.NaN())
	}
	writes := c.kernel.Parameters[len(c.values)].Type == "float*"
	if p.added {
		clear(long[n:])
	}
	point(c, long)
	if !writes {
		return
	}
	c.after = append(c.after, func() {
		copy(p.F32, long[:n])
		for i, v := range long[n:] {
			if zero && v != 0 {
				panic(fmt.Sprintf("%s: element %d of the padding is %v", c.kernel.Name, i, v))
			}
		}
	})
}
