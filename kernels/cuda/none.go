//go:build !cuda || !linux || !(amd64 || arm64)

package cuda

import (
	"io"

	"capgraph/kernels/cuda/driver"
)

// Open tells which build has this device.
func Open(int, Precision) (*Device, error) {
	_, err := driver.Open(nil)
	return nil, err
}

// Doctor tells which build has this device.
func Doctor(_ io.Writer, _ int) error {
	_, err := driver.Open(nil)
	return err
}
