//go:build !cuda || !linux || !(amd64 || arm64)

package cuda

import (
	"io"

	"capgraph/kernels/cuda/driver"
)

// Open opens card number ordinal, and loads the kernels and cuBLASLt. In a build without CUDA it
// returns an error that names the build.
func Open(int, Precision) (*Device, error) {
	_, err := driver.Open(nil)
	return nil, err
}

// Doctor writes what CUDA there is on the machine. Then it compares every operation of card number
// ordinal with the plain device, in both precisions. The error says what is missing, or which
// operations are wrong.
func Doctor(_ io.Writer, _ int) error {
	_, err := driver.Open(nil)
	return err
}
