//go:build cuda && linux && (amd64 || arm64)

package driver

import "unsafe"

// arguments has a pointer to each argument of a launch, as the driver expects them. It reads them
// before the call returns.
type arguments struct{ pointers [32]unsafe.Pointer }

// pointTo returns a pointer to each value. The result is valid until the next call.
func (a *arguments) pointTo(values []uint64) []unsafe.Pointer {
	for i := range values {
		a.pointers[i] = unsafe.Pointer(&values[i])
	}
	return a.pointers[:len(values)]
}
