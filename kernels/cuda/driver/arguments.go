//go:build cuda && linux && (amd64 || arm64)

package driver

import "unsafe"

// arguments are the addresses of a launch's arguments, as the driver wants them. It reads them
// before the call returns.
type arguments struct{ pointers [32]unsafe.Pointer }

// pointTo points to each value.
func (a *arguments) pointTo(values []uint64) []unsafe.Pointer {
	for i := range values {
		a.pointers[i] = unsafe.Pointer(&values[i])
	}
	return a.pointers[:len(values)]
}
