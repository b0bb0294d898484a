package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"capgraph/kernels/cuda/cublaslt"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/ptx"
	"capgraph/testing/cutest"
)

// fakeCard is a card that uses the host's memory: kernels are compiled for the
// processor, and products are loops. It counts what is still held.
type fakeCard struct {
	t         testing.TB
	machine   *cutest.Machine
	kernels   map[string]ptx.Kernel
	names     []string // of functions, by their handle - 1
	memory    map[uint64][]byte
	pinned    map[*byte]bool
	room      uint64 // bytes that can still be taken
	calls     []string
	events    driver.Event
	recorded  map[driver.Event]bool
	launches  int
	noFused   bool // products with a bias have no algorithm
	noGraphs  bool
	failAfter int // launches, where it is not 0
	closed    bool
	keeping   bool
	kept      []func() error // while a stream is recorded
	graphs    map[driver.Graph][]func() error
	ran       int // graphs
}

// compiled are the kernels, once for all tests.
var compiled = sync.OnceValues(func() (*cutest.Machine, error) { return cutest.New("..") })

// newFakeCard is a card, or skips the test where kernels cannot be compiled.
func newFakeCard(t testing.TB) *fakeCard {
	m, err := compiled()
	if errors.Is(err, cutest.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := ptx.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	return &fakeCard{t: t, machine: m, kernels: all, memory: map[uint64][]byte{}, pinned: map[*byte]bool{}, room: 1 << 30, recorded: map[driver.Event]bool{}, graphs: map[driver.Graph][]func() error{}}
}

// device is one of the fake card.
func (f *fakeCard) device(p Precision) *Device {
	f.t.Helper()
	d, err := newDevice(f, "fake", p)
	if err != nil {
		f.t.Fatal(err)
	}
	d.products = f
	return d
}

func (f *fakeCard) Memory() (free, total uint64, err error) { return f.room, 1 << 30, nil }

func (f *fakeCard) Alloc(bytes uint64) (uint64, error) {
	f.still("memory is taken")
	if bytes == 0 {
		return 0, &driver.Error{Call: "cuMemAlloc", Code: 1}
	}
	if bytes > f.room {
		return 0, &driver.Error{Call: "cuMemAlloc", Code: driver.OutOfMemory}
	}
	f.room -= bytes
	words := make([]uint64, (bytes+7)/8+32) // so that it can begin at a multiple of 256
	for i := range words {
		words[i] = math.MaxUint64
	}
	address := (uint64(uintptr(unsafe.Pointer(&words[0]))) + 255) &^ 255
	offset := address - uint64(uintptr(unsafe.Pointer(&words[0])))
	f.memory[address] = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[offset : offset+bytes : offset+bytes]
	return address, nil
}

func (f *fakeCard) Free(address uint64) error {
	f.still("memory is freed")
	b, ok := f.memory[address]
	if !ok {
		f.t.Errorf("memory is freed that was not taken")
	}
	f.room += uint64(len(b))
	delete(f.memory, address)
	return nil
}

// at is the memory that begins at an address.
func (f *fakeCard) at(address, bytes uint64) []byte {
	for first, b := range f.memory {
		if address >= first && address+bytes <= first+uint64(len(b)) {
			return b[address-first : address-first+bytes]
		}
	}
	f.t.Fatalf("%d bytes at an address that is of no memory", bytes)
	return nil
}

// floats are numbers at an address.
func (f *fakeCard) floats(address uint64, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&f.at(address, uint64(4*n))[0])), n)
}

func (f *fakeCard) AllocPinned(bytes int) ([]byte, error) {
	b := make([]byte, bytes)
	f.pinned[&b[0]] = true
	return b, nil
}

func (f *fakeCard) FreePinned(b []byte) error {
	if !f.pinned[&b[0]] {
		f.t.Error("memory is unpinned that was not pinned")
	}
	delete(f.pinned, &b[0])
	return nil
}

func (f *fakeCard) LoadModule(text string) (driver.Module, error) {
	if !strings.Contains(text, ".version 7.8") {
		f.t.Error("what is loaded is no PTX 7.8")
	}
	return 1, nil
}

func (f *fakeCard) FindFunction(_ driver.Module, name string) (driver.Function, error) {
	f.names = append(f.names, name)
	return driver.Function(len(f.names)), nil
}

func (f *fakeCard) Launch(function driver.Function, grid [3]uint32, block uint32, _ driver.Stream, arguments []uint64) error {
	f.launches++
	if f.failAfter > 0 && f.launches > f.failAfter {
		return &driver.Error{Call: "cuLaunchKernel", Code: 700}
	}
	if block != ptx.Block {
		f.t.Errorf("a block has %d threads", block)
	}
	if f.keeping {
		arguments = slices.Clone(arguments)
		return f.keep(func() error { return f.run(function, grid, arguments) })
	}
	return f.run(function, grid, arguments)
}

func (f *fakeCard) run(function driver.Function, grid [3]uint32, arguments []uint64) error {
	name := f.names[function-1]
	f.calls = append(f.calls, strings.TrimPrefix(name, "capgraph_"))
	var pieces []cutest.Region
	for first, b := range f.memory {
		pieces = append(pieces, cutest.Region{Address: first, Bytes: uint64(len(b))})
	}
	regions := cutest.ArgumentRegions(f.kernels[name], arguments, pieces)
	return f.machine.Launch(ptx.Launch{Name: name, Grid: grid, Arguments: arguments}, cutest.Forward, 0, regions)
}

func (f *fakeCard) Clear(address, bytes uint64, _ driver.Stream) error {
	return f.keep(func() error {
		clear(f.at(address, bytes))
		return nil
	})
}

// keep does something, or keeps it where a stream is recorded.
func (f *fakeCard) keep(do func() error) error {
	if !f.keeping {
		return do()
	}
	f.kept = append(f.kept, do)
	return nil
}

func (f *fakeCard) BeginCapture(driver.Stream) error {
	if f.noGraphs {
		return driver.ErrNoGraphs
	}
	f.still("a stream is recorded twice over")
	f.keeping, f.kept = true, []func() error{}
	return nil
}

func (f *fakeCard) EndCapture(driver.Stream) (driver.Graph, error) {
	if !f.keeping {
		f.t.Error("no stream is recorded")
	}
	g := driver.Graph(len(f.graphs) + 1)
	f.graphs[g], f.keeping = f.kept, false
	return g, nil
}

func (f *fakeCard) LaunchGraph(g driver.Graph, _ driver.Stream) error {
	f.ran++
	f.still("a graph is run")
	for _, do := range f.graphs[g] {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

func (f *fakeCard) FreeGraph(g driver.Graph) error {
	if f.graphs[g] == nil {
		f.t.Error("a graph is freed that is none")
	}
	f.graphs[g] = nil
	return nil
}

// still fails where a stream is recorded, which then does not take what is asked.
func (f *fakeCard) still(what string) {
	if f.keeping {
		f.t.Errorf("%s while a stream is recorded", what)
	}
}

func (f *fakeCard) Upload(to uint64, from []byte, _ driver.Stream) error {
	f.still("memory is copied from the host")
	copy(f.at(to, uint64(len(from))), from)
	return nil
}

func (f *fakeCard) Download(to []byte, from uint64, _ driver.Stream) error {
	f.still("memory is copied to the host")
	copy(to, f.at(from, uint64(len(to))))
	return nil
}

func (f *fakeCard) Copy(to, from, bytes uint64, _ driver.Stream) error {
	return f.keep(func() error {
		copy(f.at(to, bytes), f.at(from, bytes))
		return nil
	})
}

func (f *fakeCard) NewStream() (driver.Stream, error) { return 1, nil }

func (f *fakeCard) Wait(driver.Stream) error {
	f.still("a stream is waited for")
	return nil
}

func (f *fakeCard) Do(do func() error) error { return do() }

func (f *fakeCard) NewEvent() (driver.Event, error) {
	f.events++
	return f.events, nil
}

func (f *fakeCard) Record(e driver.Event, _ driver.Stream) error {
	f.recorded[e] = true
	return nil
}

func (f *fakeCard) WaitEvent(driver.Event) error { return nil }

func (f *fakeCard) StreamWaitEvent(driver.Stream, driver.Event) error {
	f.still("a stream follows another")
	return nil
}

func (f *fakeCard) Close() error {
	f.closed = true
	return nil
}

// fakeProducts are those of a card, and what closes them.
var _ multiplier = (*fakeCard)(nil)

// Multiply computes a product as cublaslt says that it is.
func (f *fakeCard) Multiply(p *cublaslt.Product, _ uintptr) error {
	if f.noFused && p.Bias != 0 {
		return cublaslt.ErrNoAlgorithm
	}
	of := *p
	return f.keep(func() error { return f.multiply(&of) })
}

func (f *fakeCard) multiply(p *cublaslt.Product) error {
	f.calls = append(f.calls, p.String())
	if p.M == 0 || p.N == 0 || p.K == 0 || p.Batch == 0 {
		f.t.Errorf("a product of nothing: %v", p)
	}
	a, b, c, d := f.matrix(p.A, p.Type), f.matrix(p.B, p.Type), f.matrix(p.C, cublaslt.Float32), f.matrix(p.D, cublaslt.Float32)
	for n := range p.Batch {
		for i := range p.M {
			for j := range p.N {
				var sum float64
				for k := range p.K {
					sum += a.get(n, i, k) * b.get(n, k, j)
				}
				if p.Beta != 0 {
					sum += float64(p.Beta) * c.get(n, i, j)
				}
				if p.Bias != 0 {
					sum += float64(f.floats(p.Bias, p.N)[j])
				}
				binary.LittleEndian.PutUint32(d.memory[4*d.at(n, i, j):], math.Float32bits(float32(sum)))
			}
		}
	}
	return nil
}

// fakeMatrix is a matrix with all memory from where it begins.
type fakeMatrix struct {
	cublaslt.Matrix
	t      cublaslt.Type
	memory []byte
}

func (f *fakeCard) matrix(m cublaslt.Matrix, t cublaslt.Type) fakeMatrix {
	for first, b := range f.memory {
		if m.Address >= first && m.Address < first+uint64(len(b)) {
			return fakeMatrix{m, t, b[m.Address-first:]}
		}
	}
	f.t.Fatalf("a matrix is of no memory")
	return fakeMatrix{}
}

// at is which element of the memory an element of a matrix of a batch is.
func (m fakeMatrix) at(batch, i, j int) int {
	if m.Transposed {
		i, j = j, i
	}
	return batch*m.Step + i*m.Stride + j
}

func (m fakeMatrix) get(batch, i, j int) float64 {
	at := m.at(batch, i, j)
	if m.t == cublaslt.BFloat16 {
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(m.memory[2*at:])) << 16))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(m.memory[4*at:])))
}
