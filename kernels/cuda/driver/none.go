//go:build !cuda || !linux || !(amd64 || arm64)

package driver

import "errors"

// Open tells which build has a driver.
func Open([]string) (Driver, error) {
	return nil, errors.New("this capgraph was built without CUDA: build one with 'go build -tags cuda ./cmd/capgraph' on Linux (amd64 or arm64), or install its wheel")
}
