package kernels

import "slices"

// Memory is numbers in the memory of a device: one of its fields, by the device.
type Memory struct {
	F32     []float32 // of a device that computes in float32 on the host
	F64     []float64 // of a device that computes in float64 on the host
	Address uint64    // on a device with memory of its own
}

// At says whether a memory begins where another does.
func (m Memory) At(other Memory) bool {
	switch {
	case len(m.F32) > 0 && len(other.F32) > 0:
		return &m.F32[0] == &other.F32[0]
	case len(m.F64) > 0 && len(other.F64) > 0:
		return &m.F64[0] == &other.F64[0]
	}
	return m.Address != 0 && m.Address == other.Address
}

// Tensor is a dense row-major matrix [Rows, Cols] in the memory of a device. A
// vector has one row; the zero Tensor stands for none.
type Tensor struct {
	Rows, Cols int
	Memory
	// Half is where a device that Halves has the elements rounded to bf16; 0 for nowhere.
	// Whoever writes the elements writes these. A narrow tensor has nothing else.
	Half uint64
}

// Len is the number of elements.
func (t Tensor) Len() int { return t.Rows * t.Cols }

// None says whether there is no tensor; one without elements is one.
func (t Tensor) None() bool { return t.Cols == 0 }

// Grad is where the gradient of a tensor goes: where Add is set, it is added to
// what is there, else it takes its place. None where nobody wants it. A value that
// is two inputs of one operation has one gradient: the first takes the place, the
// second is added, so a device puts gradients in the order of its arguments.
type Grad struct {
	Tensor
	Add bool
}

// Ints are indices in the memory of a device.
type Ints struct {
	Host    []int32 // the indices; a device with memory of its own has a copy at Address
	Address uint64
}

// Len is the number of indices.
func (i Ints) Len() int { return len(i.Host) }

// cover says whether the indices are where parts of n rows begin, and n.
func (i Ints) cover(n int) bool {
	last := len(i.Host) - 1
	return last >= 0 && i.Host[0] == 0 && int(i.Host[last]) == n && slices.IsSorted(i.Host)
}

// longest is the length of the longest part, of indices that cover rows.
func (i Ints) longest() int {
	var most int32
	for k := range len(i.Host) - 1 {
		most = max(most, i.Host[k+1]-i.Host[k])
	}
	return int(most)
}

// below says whether all indices are from 0 to below n.
func (i Ints) below(n int) bool {
	for _, v := range i.Host {
		if v < 0 || int(v) >= n {
			return false
		}
	}
	return true
}

// Bytes are pixels or masks in the memory of a device.
type Bytes struct {
	Host    []byte // a device with memory of its own has a copy at Address
	Address uint64
}

// Len is the number of bytes.
func (b Bytes) Len() int { return len(b.Host) }
