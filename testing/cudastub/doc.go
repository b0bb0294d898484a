//go:build !cuda || !linux || !(amd64 || arm64)

// Package cudastub builds stand-ins for the libraries of CUDA, for tests without a card. It is
// empty in a build without CUDA.
package cudastub
