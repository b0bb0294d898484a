package kernels

// Reference is the plain device: it computes the formulas in float64 with simple loops. The other
// devices are tested against it, and it trains if float64 is asked for. It does one call at a time.
type Reference struct{ scratch []float64 }

// NewReference returns the plain device.
func NewReference() *Reference { return &Reference{} }

// Name implements Device.
func (*Reference) Name() string { return "cpu/float64" }

// ElementBytes implements Device.
func (*Reference) ElementBytes() int { return 8 }

// UsesHalf implements Device.
func (*Reference) UsesHalf() bool { return false }

// Alloc implements Device.
func (*Reference) Alloc(n int) Memory { return Memory{F64: make([]float64, n)} }

// Slice implements Device.
func (*Reference) Slice(m Memory, offset, n int) Memory {
	return Memory{F64: m.F64[offset : offset+n : offset+n]}
}

// Free implements Device.
func (*Reference) Free(Memory) {}

// Zero implements Device.
func (*Reference) Zero(t Tensor) { clear(t.F64) }

// Write implements Device.
func (*Reference) Write(t Tensor, from []float64) { copy(t.F64, from) }

// Read implements Device.
func (*Reference) Read(to []float64, t Tensor) { copy(to, t.F64) }

// Ints implements Device.
func (*Reference) Ints(from []int32) Ints { return Ints{Host: from} }

// Bytes implements Device.
func (*Reference) Bytes(from []byte) Bytes { return Bytes{Host: from} }

// Reset implements Device.
func (*Reference) Reset() {}

// Err implements Device.
func (*Reference) Err() error { return nil }

// Close implements Device.
func (*Reference) Close() error { return nil }

// scratchFor returns memory for n numbers, not initialised, until its next call.
func (d *Reference) scratchFor(n int) []float64 {
	if n > cap(d.scratch) {
		d.scratch = make([]float64, n)
	}
	return d.scratch[:n]
}

// row returns row i of a tensor of the reference.
func (t Tensor) row(i int) []float64 { return t.F64[i*t.Cols : (i+1)*t.Cols] }

// store sets element i of a gradient to v, or adds v to it if Add is set.
func (g Grad) store(i int, v float64) {
	if g.Add {
		v += g.F64[i]
	}
	g.F64[i] = v
}

// dot is the inner product of two rows.
func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
