package encoder

import "golang.org/x/sys/cpu"

// processorKernels returns the kernels with and without instructions for dot products of bytes.
// Their float functions are the portable ones.
func processorKernels() []*kernelSet {
	smull := portable
	smull.name, smull.rows, smull.products = "NEON", 2, productsSMULL
	k := []*kernelSet{&smull}
	if cpu.ARM64.HasASIMDDP {
		sdot := smull
		sdot.name, sdot.rows, sdot.products = "NEON with dot products", 6, productsSDOT
		k = append(k, &sdot)
	}
	return k
}

// productsSDOT is a kernel.
//
//go:noescape
func productsSDOT(sums, start []int32, q, weights []int8, rows, inputs int)

// productsSMULL is a kernel for processors without dot products.
//
//go:noescape
func productsSMULL(sums, start []int32, q, weights []int8, rows, inputs int)
