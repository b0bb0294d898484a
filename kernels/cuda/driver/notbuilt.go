//go:build !cuda || !linux || !(amd64 || arm64)

package driver

// Open opens libcuda in folders, then in the loader's, and initialises it. A build without CUDA
// returns ErrNotBuilt; one with gorgonia.org/cu ignores folders.
func Open([]string) (Driver, error) {
	return nil, ErrNotBuilt
}
