//go:build cuda && gorgonia

package driver

// pins says that host memory is not pinned and that the compiler of PTX tells no errors.
const pins = false
