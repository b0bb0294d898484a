package kernels

import "slices"

// Memory is where a device keeps numbers. Which field is used depends on the device.
type Memory struct {
	F32     []float32 // of a device that computes in float32 on the host
	F64     []float64 // of a device that computes in float64 on the host
	Address uint64    // of a device with its own memory
}

// StartsAt reports whether two memories begin at the same place.
func (m Memory) StartsAt(other Memory) bool {
	switch {
	case len(m.F32) > 0 && len(other.F32) > 0:
		return &m.F32[0] == &other.F32[0]
	case len(m.F64) > 0 && len(other.F64) > 0:
		return &m.F64[0] == &other.F64[0]
	}
	return m.Address != 0 && m.Address == other.Address
}

// Tensor is a dense row-major matrix [Rows, Cols] in the memory of a device. A vector has one row;
// the zero Tensor is none.
type Tensor struct {
	Rows, Cols int
	Memory
	// Half is the address of a copy of the elements rounded to bf16, on a device that UsesHalf; 0 if there is none.
	// Every write of the elements updates the copy. A half-only tensor has only this copy.
	Half uint64
}

// Len is the number of elements.
func (t Tensor) Len() int { return t.Rows * t.Cols }

// IsNone reports whether t is no tensor. A tensor without elements, such as [0, 3], is a tensor.
func (t Tensor) IsNone() bool { return t.Cols == 0 }

// Grad is where an operation writes a gradient, or adds it if Add is set. It is none if the gradient is not needed. If
// a value is two inputs of one operation, the first gradient is written and the second added, so devices compute
// gradients in the order of the arguments.
type Grad struct {
	Tensor
	Add bool
}

// Ints are indices in the memory of a device.
type Ints struct {
	Host    []int32 // the indices; a device with its own memory has a copy at Address
	Address uint64
}

// Len is the number of indices.
func (i Ints) Len() int { return len(i.Host) }

// covers reports whether the indices are the starts of consecutive parts that cover n rows, with n at the end.
func (i Ints) covers(n int) bool {
	last := len(i.Host) - 1
	return last >= 0 && i.Host[0] == 0 && int(i.Host[last]) == n && slices.IsSorted(i.Host)
}

// longestPart returns the length of the longest part, if the indices are the starts of consecutive parts.
func (i Ints) longestPart() int {
	var most int32
	for k := range len(i.Host) - 1 {
		most = max(most, i.Host[k+1]-i.Host[k])
	}
	return int(most)
}

// allInRange reports whether all indices are from 0 to n-1.
func (i Ints) allInRange(n int) bool {
	for _, v := range i.Host {
		if v < 0 || int(v) >= n {
			return false
		}
	}
	return true
}

// Bytes are pixels or masks in the memory of a device.
type Bytes struct {
	Host    []byte // a device with its own memory has a copy at Address
	Address uint64
}

// Len is the number of bytes.
func (b Bytes) Len() int { return len(b.Host) }
