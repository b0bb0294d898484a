//go:build !cuda || !linux || !(amd64 || arm64)

package cuda

import (
	"io"

	"capgraph/kernels/cuda/driver"
)

// Open opens card number ordinal, and loads the kernels and cuBLASLt. In a build without CUDA it
// returns ErrNotBuilt.
func Open(int, Precision) (*Device, error) {
	_, err := driver.Open(nil)
	return nil, err
}

// Doctor writes which driver, libraries and cards of CUDA the machine has. Then it compares every
// operation of card number ordinal with the plain device, in both precisions. The error says what
// is missing, or which operations are wrong.
func Doctor(_ io.Writer, _ int) error {
	_, err := driver.Open(nil)
	return err
}
