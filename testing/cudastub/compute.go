//go:build cuda && linux && (amd64 || arm64)

package cudastub

import (
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"capgraph/kernels/cuda/ptx"
	"capgraph/testing/cutest"
)

// launchFailed is the driver's error code for a kernel that failed.
const launchFailed = 719

// Compute makes launches run the kernels, compiled for the CPU by m. Threads run in that order.
func (s *Stub) Compute(t testing.TB, m *cutest.Machine, order cutest.Order) {
	t.Helper()
	all, err := ptx.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	s.SetLauncher(purego.NewCallback(func(name *byte, arguments unsafe.Pointer, x, y uint32) uintptr {
		kernel := unix.BytePtrToString(name)
		words := Arguments(arguments, len(all[kernel].Parameters))
		l := ptx.Launch{Name: kernel, Grid: [3]uint32{x, y, 1}, Arguments: words}
		if err := m.Launch(l, order, 1, cutest.ArgumentRegions(all[kernel], words, s.memoryRegions())); err != nil {
			t.Error(err)
			return launchFailed
		}
		return 0
	}), purego.NewCallback(func(name *byte) uintptr { return uintptr(len(all[unix.BytePtrToString(name)].Parameters)) }))
}

// memoryRegions returns all memory allocated in the stub.
func (s *Stub) memoryRegions() []cutest.Region {
	var all []cutest.Region
	for _, p := range s.Memory() {
		all = append(all, cutest.Region(p))
	}
	return all
}
