package cpu

import "capgraph/kernels"

// matrix is a view of numbers: element (i, j) is data[i·stride + j], or data[j·stride + i] if it is
// transposed.
type matrix struct {
	data       []float32
	rows, cols int
	stride     int
	transposed bool
}

// matrixOf returns a tensor as a matrix.
func matrixOf(t kernels.Tensor) matrix {
	return matrix{data: t.F32, rows: t.Rows, cols: t.Cols, stride: t.Cols}
}

// transpose returns the same numbers with rows and columns exchanged.
func (m matrix) transpose() matrix {
	m.rows, m.cols, m.transposed = m.cols, m.rows, !m.transposed
	return m
}

// rowOf returns row i of a tensor.
func rowOf(t kernels.Tensor, i int) []float32 { return t.F32[i*t.Cols : (i+1)*t.Cols : (i+1)*t.Cols] }
