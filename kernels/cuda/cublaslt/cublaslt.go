// Package cublaslt multiplies matrices on a card with NVIDIA's cuBLASLt, which it opens at run
// time. Algorithms come from the library's heuristic, which is asked once for each shape. The
// workspace has a fixed size, and no algorithm adds up in an order that may change, so the same
// product has the same bits.
package cublaslt

import (
	"errors"
	"fmt"
)

// ErrNoAlgorithm is the error of a product that the library cannot compute.
var ErrNoAlgorithm = errors.New("cuBLASLt has no algorithm")

// Type is the type of a matrix's elements.
type Type int32

// The types, with the numbers of cudaDataType.
const (
	Float32  Type = 0
	Int8     Type = 3
	Int32    Type = 10
	BFloat16 Type = 14
)

// Sums returns the type in which products of elements of type t are summed and written.
func (t Type) Sums() Type {
	if t == Int8 {
		return Int32
	}
	return Float32
}

// Size returns the size of an element in bytes.
func (t Type) Size() uint64 {
	switch t {
	case Int8:
		return 1
	case BFloat16:
		return 2
	}
	return 4
}

// Matrix is a row-major matrix in the memory of the card.
type Matrix struct {
	Address uint64
	// Stride is the number of elements from row to row.
	Stride int
	// Transposed says that rows and columns are exchanged.
	Transposed bool
	// Step is the number of elements from one matrix of a batch to the next.
	Step int
}

// Product is D = A·B + Beta·C + Bias. A [M, K] and B [K, N] are of Type; C and D [M, N], Bias [N]
// and sums are float32. C may be D.
//
// If Type is Int8, sums, C and D are Int32, so results are exact, and Beta and Bias are 0. Tensor
// cores then need an A that is not transposed, a B that is, and multiples of 4 for K and N.
type Product struct {
	Type       Type
	M, N, K    int
	A, B, C, D Matrix
	Beta       float32
	Bias       uint64 // 0 if there is none
	Batch      int    // 1 for a single product
}

func (p *Product) String() string {
	text := fmt.Sprintf("[%d, %d]·[%d, %d]", p.M, p.K, p.K, p.N)
	if p.Batch > 1 {
		text += fmt.Sprintf(" × %d", p.Batch)
	}
	switch p.Type {
	case BFloat16:
		return text + " of bf16"
	case Int8:
		return text + " of int8"
	}
	return text + " of float32"
}

// LibraryNames returns the names of the library's files that work with a driver of that version,
// the best first.
func LibraryNames(driver int) []string {
	if driver >= 13000 {
		return []string{"libcublasLt.so.13", "libcublasLt.so.12"}
	}
	return []string{"libcublasLt.so.12"}
}

// WorkspaceBytes is the size of workspace that NVIDIA recommends for cards of compute capability 9.
const WorkspaceBytes = 32 << 20
