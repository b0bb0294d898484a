package cuda

import (
	"capgraph/kernels"
	"capgraph/kernels/cuda/cublaslt"
)

// operand is a matrix of a product as it lies, by rows.
type operand struct {
	cublaslt.Matrix
	rows, cols int
}

// plain is a tensor as an operand, in float32.
func plain(t kernels.Tensor) operand {
	return operand{cublaslt.Matrix{Address: t.Address, Stride: t.Cols}, t.Rows, t.Cols}
}

// transposed reads an operand with rows for columns.
func (o operand) transposed() operand {
	o.Transposed = !o.Transposed
	o.rows, o.cols = o.cols, o.rows
	return o
}

// rounded is a tensor as an operand of the precision of the device: a copy of it in
// bf16, or itself.
func (d *Device) rounded(t kernels.Tensor) operand {
	o := plain(t)
	if d.precision == Float32 || t.Len() == 0 {
		return o
	}
	o.Address = d.halves(t.Len())
	d.launch("round", o.Address, t.Address, none, t.Rows, t.Cols)
	return o
}

// weightType is the type of rounded operands.
func (d *Device) weightType() cublaslt.Type {
	if d.precision == Float32 {
		return cublaslt.Float32
	}
	return cublaslt.BFloat16
}

// product computes y = a·b, or adds it where add is set, of operands of a type.
func (d *Device) product(t cublaslt.Type, y kernels.Tensor, a, b operand, add bool) {
	c := plain(y).Matrix
	p := &cublaslt.Product{Type: t, M: a.rows, K: a.cols, N: b.cols, A: a.Matrix, B: b.Matrix, C: c, D: c, Batch: 1}
	if add {
		p.Beta = 1
	}
	d.fail(d.multiply(p))
}

// multiply computes a product, of which sides may be 0: the gradient of weights that
// no row has used is 0.
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
