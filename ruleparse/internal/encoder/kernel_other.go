//go:build !amd64 && !arm64

package encoder

func processorKernels() []*kernelSet { return nil }
