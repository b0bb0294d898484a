// Package cublaslt multiplies matrices on a card with NVIDIA's cuBLASLt, which it
// opens at run time. Algorithms are those of the library's heuristic, asked for once
// a shape and kept; the workspace is fixed, and no algorithm adds up in an order
// that may change, so that the same product has the same bits.
package cublaslt

import (
	"errors"
	"fmt"
)

// ErrNoAlgorithm says that the library has none for a product.
var ErrNoAlgorithm = errors.New("cuBLASLt has no algorithm")

// Type is what the elements of a matrix are.
type Type int32

// The types, by CUDA's numbers.
const (
	Float32  Type = 0
	BFloat16 Type = 14
)

// Bytes is the size of an element.
func (t Type) Bytes() uint64 {
	if t == BFloat16 {
		return 2
	}
	return 4
}

// Matrix is numbers in the memory of the card, by rows.
type Matrix struct {
	Address uint64
	// Stride is how many elements are from row to row.
	Stride int
	// Transposed says that it is read with columns for rows.
	Transposed bool
	// Step is how many elements are from one matrix of a batch to the next.
	Step int
}

// Product is D = A·B + Beta·C + Bias: A [M, K] and B [K, N] of Type, C and D [M, N] and Bias
// [N] of float32, sums in float32. C is D where Beta is 1 and nothing else is said.
type Product struct {
	Type       Type
	M, N, K    int
	A, B, C, D Matrix
	Beta       float32
	Bias       uint64 // 0 for none
	Batch      int    // 1 where there is none
}

func (p *Product) String() string {
	text := fmt.Sprintf("[%d, %d]·[%d, %d]", p.M, p.K, p.K, p.N)
	if p.Batch > 1 {
		text += fmt.Sprintf(" × %d", p.Batch)
	}
	if p.Type == BFloat16 {
		return text + " of bf16"
	}
	return text + " of float32"
}

// Names are the files of the library that a driver of that version runs, the best
// first.
func Names(driver int) []string {
	if driver >= 13000 {
		return []string{"libcublasLt.so.13", "libcublasLt.so.12"}
	}
	return []string{"libcublasLt.so.12"}
}

// Workspace is the size that the workspace of a Handle is best given, in bytes: what
// NVIDIA recommends for cards of compute capability 9.
const Workspace = 32 << 20
