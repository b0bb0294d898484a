package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// operand is a matrix of a product, and its size.
type operand struct {
	cublaslt.Matrix
	rows, cols int
}

// float32Operand returns a tensor as an operand in float32.
func float32Operand(t kernels.Tensor) operand {
	return operand{cublaslt.Matrix{Address: t.Address, Stride: t.Cols}, t.Rows, t.Cols}
}

// transpose returns an operand with rows and columns exchanged.
func (o operand) transpose() operand {
	o.Transposed = !o.Transposed
	o.rows, o.cols = o.cols, o.rows
	return o
}

// tensorRow is the alignment of rows for tensor cores, which read 16 bytes at once: the length of
// rows must be a multiple of this many elements.
const tensorRow = 8

// productType returns the type in which matrices with rows of these lengths are multiplied: bf16 if
// that is the device's precision and the lengths fit tensor cores, otherwise float32.
func (d *Device) productType(lengths ...int) cublaslt.Type {
	for _, n := range lengths {
		if d.precision == Float32 || n%tensorRow != 0 {
			return cublaslt.Float32
		}
	}
	return cublaslt.BFloat16
}

// operandOf returns a tensor as an operand of type t: the tensor itself, its Half, or a scratch
// copy in that type.
func (d *Device) operandOf(x kernels.Tensor, t cublaslt.Type) operand {
	o := float32Operand(x)
	switch {
	case x.Len() == 0:
	case t == cublaslt.BFloat16 && x.Half != 0:
		o.Address = x.Half
	case t == cublaslt.BFloat16:
		o.Address = d.scratchHalves(x.Len())
		d.launch("round", o.Address, x.Address, none, x.Rows, x.Cols)
	case x.Address == 0: // half-only
		o.Address = d.scratchFloats(x.Len())
		d.launch("widen", o.Address, x.Half, x.Len())
	}
	return o
}

// multiplyTensor computes y = a·b or, if add is true, y += a·b. a and b are of type t.
func (d *Device) multiplyTensor(t cublaslt.Type, y kernels.Tensor, a, b operand, add bool) {
	d.multiplyOperands(t, float32Operand(y), a, b, add)
}

// multiplyOperands computes c = a·b or, if add is true, c += a·b. a and b are of type t.
func (d *Device) multiplyOperands(t cublaslt.Type, c, a, b operand, add bool) {
	p := &cublaslt.Product{Type: t, M: a.rows, K: a.cols, N: b.cols, A: a.Matrix, B: b.Matrix, C: c.Matrix, D: c.Matrix, Batch: 1}
	if add {
		p.Beta = 1
	}
	d.fail(d.multiply(p))
}

// multiply computes a product. M, N and K may be 0: without rows, the gradient of weights is 0.
func (d *Device) multiply(p *cublaslt.Product) error {
	switch {
	case d.err != nil || p.M == 0 || p.N == 0 || p.Batch == 0:
		return nil
	case p.K == 0 && p.Beta != 0: // nothing is added
		return nil
	case p.K == 0:
		return d.context.Clear(p.D.Address, uint64(p.M)*uint64(p.N)*elementBytes, d.stream)
	}
	return d.products.Multiply(p, uintptr(d.stream))
}
