//go:build cuda && !gorgonia

package driver

// pins says that host memory is pinned and that the compiler of PTX tells its errors.
const pins = true
