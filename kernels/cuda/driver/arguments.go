//go:build cuda && linux && (amd64 || arm64)

package driver

import "unsafe"

// arguments are where the arguments of a launch lie, as the driver wants it told. It
// reads them before the call returns.
type arguments struct{ pointers [32]unsafe.Pointer }

// point points to each value.
func (a *arguments) point(values []uint64) []unsafe.Pointer {
	for i := range values {
		a.pointers[i] = unsafe.Pointer(&values[i])
	}
	return a.pointers[:len(values)]
}
