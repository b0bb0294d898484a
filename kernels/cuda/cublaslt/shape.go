//go:build cuda && linux && (amd64 || arm64)

package cublaslt

// shape has everything on which the choice of an algorithm depends.
type shape struct {
	t                              Type
	m, n, k, batch                 int
	transA, transB, bias, beta     bool
	strideA, strideB, strideC      int
	strideD, stepA, stepB          int
	stepC, stepD                   int
	alignA, alignB, alignC, alignD uint32
	alignBias                      uint32
	outOfPlace                     bool
}

// shapeOf returns the shape of a product.
func shapeOf(p *Product) shape {
	return shape{
		t: p.Type, m: p.M, n: p.N, k: p.K, batch: p.Batch,
		transA: p.A.Transposed, transB: p.B.Transposed, bias: p.Bias != 0, beta: p.Beta != 0,
		strideA: p.A.Stride, strideB: p.B.Stride, strideC: p.C.Stride, strideD: p.D.Stride,
		stepA: p.A.Step, stepB: p.B.Step, stepC: p.C.Step, stepD: p.D.Step,
		alignA: alignment(p.A.Address), alignB: alignment(p.B.Address), alignC: alignment(p.C.Address), alignD: alignment(p.D.Address),
		alignBias: alignment(p.Bias), outOfPlace: p.C.Address != p.D.Address,
	}
}

// alignment returns the largest power of two, at most 16, that divides an address. The library's
// kernels read 16 bytes at once; a larger alignment would make the choice depend on where memory
// was allocated.
func alignment(address uint64) uint32 {
	return uint32(min((address|16)&-(address|16), 16))
}
