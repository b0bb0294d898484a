//go:build !cuda || !linux || !(amd64 || arm64)

package driver

// Open opens libcuda, from folders or else from the loader's own folders, and initialises it. In a
// build without CUDA it returns ErrNotBuilt; with gorgonia.org/cu it ignores folders.
func Open([]string) (Driver, error) {
	return nil, ErrNotBuilt
}
