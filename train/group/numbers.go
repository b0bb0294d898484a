package group

import "unsafe"

// numbers is the data of an operation, in one of the fields.
type numbers struct {
	f64 []float64
	f32 []float32
	raw []byte
}

// elementBytes returns the size of an element.
func (n numbers) elementBytes() int {
	switch {
	case n.f64 != nil:
		return 8
	case n.f32 != nil:
		return 4
	}
	return 1
}

func (n numbers) len() int { return len(n.f64) + len(n.f32) + len(n.raw) }

// slice returns the elements from the first index up to, not including, the second.
func (n numbers) slice(from, to int) numbers {
	switch {
	case n.f64 != nil:
		return numbers{f64: n.f64[from:to]}
	case n.f32 != nil:
		return numbers{f32: n.f32[from:to]}
	}
	return numbers{raw: n.raw[from:to]}
}

// asBytes returns the memory of all elements. Numbers are sent in the byte order of the processor,
// which is the same on all ranks.
func (n numbers) asBytes() []byte {
	switch {
	case len(n.f64) > 0:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(n.f64))), 8*len(n.f64))
	case len(n.f32) > 0:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(n.f32))), 4*len(n.f32))
	}
	return n.raw
}

// viewBlock returns the payload of a block as numbers of n's type, without copying.
func (n numbers) viewBlock(r *receivedBlock) numbers {
	switch {
	case n.f64 != nil:
		return numbers{f64: r.memory[:len(r.payload)/8]}
	case n.f32 != nil:
		return numbers{f32: unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(r.memory))), len(r.payload)/4)}
	}
	return numbers{raw: r.payload}
}

// add adds the elements of m to the elements of n.
func (n numbers) add(m numbers) {
	for i, v := range m.f64[:len(n.f64)] {
		n.f64[i] += v
	}
	for i, v := range m.f32[:len(n.f32)] {
		n.f32[i] += v
	}
}

// copyFrom copies the elements of m to n.
func (n numbers) copyFrom(m numbers) { copy(n.asBytes(), m.asBytes()) }
