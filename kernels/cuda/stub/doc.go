//go:build !cuda || !linux || !(amd64 || arm64)

// Package stub builds libraries that stand for CUDA's where there is no card. It is
// empty in a build without CUDA.
package stub
