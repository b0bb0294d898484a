package cutest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"capgraph/kernels/cuda/ptx"
)

// Order is the order in which the threads of a block, and the blocks of a launch, run.
type Order int32

// The orders. A kernel must return the same bits in each of them.
const (
	Forward Order = iota
	Reverse
	Shuffled
)

// Machine runs kernels, one launch at a time. It may be used from any goroutine.
type Machine struct {
	mutex   sync.Mutex
	library uintptr
	launch  func(call uintptr, values unsafe.Pointer, grid *int32, order int32, seed uint64, regions unsafe.Pointer, count int32) string
	calls   map[string]uintptr
}

// Region is host memory that a launch may access.
type Region struct {
	Address uint64
	Bytes   uint64
}

// New compiles and loads the kernels in a folder, such as that of package kernels. If there is no
// C++ compiler, the error is ErrNoCompiler.
func New(kernels string) (*Machine, error) {
	folder, err := os.MkdirTemp("", "cutest")
	if err != nil {
		return nil, err
	}
	m := &Machine{calls: map[string]uintptr{}}
	// The library no longer needs its file once it is loaded.
	if err := errors.Join(m.loadLibrary(kernels, folder), os.RemoveAll(folder)); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Machine) loadLibrary(kernels, folder string) error {
	path, err := compileKernels(kernels, folder)
	if err != nil {
		return err
	}
	if m.library, err = purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL); err != nil {
		return err
	}
	purego.RegisterLibFunc(&m.launch, m.library, "host_launch")
	return nil
}

// Launch runs a kernel to its end. seed determines a shuffled order. Addresses in the arguments are
// host addresses. If a thread makes an invalid access, the error says which.
func (m *Machine) Launch(l ptx.Launch, order Order, seed uint64, regions []Region) error {
	if l.IsEmpty() {
		return nil
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	call, ok := m.calls[l.Name]
	if !ok {
		var err error
		if call, err = purego.Dlsym(m.library, "call_"+l.Name); err != nil {
			return fmt.Errorf("there is no kernel %s: %w", l.Name, err)
		}
		m.calls[l.Name] = call
	}
	words := append([]uint64(nil), l.Arguments...)
	values := make([]unsafe.Pointer, len(words))
	for i := range words {
		values[i] = unsafe.Pointer(&words[i])
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(unsafe.SliceData(words))
	grid := [2]int32{int32(l.Grid[0]), int32(l.Grid[1])}
	mistake := m.launch(call, unsafe.Pointer(unsafe.SliceData(values)), &grid[0], int32(order), seed, unsafe.Pointer(unsafe.SliceData(regions)), int32(len(regions)))
	if mistake != "" {
		return fmt.Errorf("%s: %s", l.Name, mistake)
	}
	return nil
}

// Close unloads the kernels.
func (m *Machine) Close() error { return purego.Dlclose(m.library) }
