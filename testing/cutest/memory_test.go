package cutest

import (
	"math"

	"capgraph/kernels"
)

func (d *device) Name() string {
	name := []string{"forward", "reverse", "shuffled"}[d.order]
	if d.padded {
		name += ", padded"
	}
	return name
}

func (*device) ElementBytes() int           { return 4 }
func (*device) UsesHalf() bool              { return false }
func (*device) Alloc(n int) kernels.Memory  { return kernels.Memory{F32: make([]float32, n)} }
func (*device) Free(kernels.Memory)         {}
func (*device) Zero(t kernels.Tensor)       { clear(t.F32) }
func (*device) Ints(v []int32) kernels.Ints { return kernels.Ints{Host: v} }
func (*device) Bytes(v []byte) kernels.Bytes {
	return kernels.Bytes{Host: v}
}
func (*device) Reset()       {}
func (*device) Close() error { return nil }
func (*device) Err() error   { return nil }

func (*device) Slice(m kernels.Memory, offset, n int) kernels.Memory {
	return kernels.Memory{F32: m.F32[offset : offset+n : offset+n]}
}

func (*device) Write(t kernels.Tensor, from []float64) {
	for i, v := range from {
		t.F32[i] = float32(v)
	}
}

func (*device) Read(to []float64, t kernels.Tensor) {
	for i := range to {
		to[i] = float64(t.F32[i])
	}
}

// begin makes a gradient that kernels add to 0 where it takes the place of what
// was there.
func begin(g kernels.Grad) {
	if !g.Add {
		clear(g.F32)
	}
}

// factor is a tensor as a factor of a product.
func factor(x kernels.Tensor) matrix { return matrix{n: x.Rows, k: x.Cols, v: x.F32} }

// more is how many rows launches are of that there are not.
func (d *device) more() int {
	if d.padded {
		return extra
	}
	return 0
}

// widen is bf16 as float32.
func widen(short []uint16) []float32 {
	out := make([]float32, len(short))
	for i, b := range short {
		out[i] = math.Float32frombits(uint32(b) << 16)
	}
	return out
}

// matrix is a factor of a product [n, k].
type matrix struct {
	n, k       int
	v          []float32
	transposed bool
}

func (m matrix) t() matrix { return matrix{m.k, m.n, m.v, !m.transposed} }

func (m matrix) at(i, j int) float64 {
	if m.transposed {
		return float64(m.v[j*m.n+i])
	}
	return float64(m.v[i*m.k+j])
}

// multiply is y = a·b, or y += a·b: what cuBLASLt does on a card.
func multiply(y []float32, a, b matrix, add bool) {
	for i := range a.n {
		for j := range b.k {
			var sum float64
			for k := range a.k {
				sum += a.at(i, k) * b.at(k, j)
			}
			if add {
				sum += float64(y[i*b.k+j])
			}
			y[i*b.k+j] = float32(sum)
		}
	}
}
