package group

import "unsafe"

// numbers are what an operation carries: one of the fields.
type numbers struct {
	f64 []float64
	f32 []float32
	raw []byte
}

// width is the bytes of an element.
func (n numbers) width() int {
	switch {
	case n.f64 != nil:
		return 8
	case n.f32 != nil:
		return 4
	}
	return 1
}

func (n numbers) len() int { return len(n.f64) + len(n.f32) + len(n.raw) }

// cut is the elements from on, to to.
func (n numbers) cut(from, to int) numbers {
	switch {
	case n.f64 != nil:
		return numbers{f64: n.f64[from:to]}
	case n.f32 != nil:
		return numbers{f32: n.f32[from:to]}
	}
	return numbers{raw: n.raw[from:to]}
}

// bytes are the memory of all elements: numbers travel in the byte order of the
// processors, which are alike on all ranks.
func (n numbers) bytes() []byte {
	switch {
	case len(n.f64) > 0:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(n.f64))), 8*len(n.f64))
	case len(n.f32) > 0:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(n.f32))), 4*len(n.f32))
	}
	return n.raw
}

// of are the elements, of the same kind as those of n, that a block holds.
func (n numbers) of(r *received) numbers {
	switch {
	case n.f64 != nil:
		return numbers{f64: r.memory[:len(r.payload)/8]}
	case n.f32 != nil:
		return numbers{f32: unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(r.memory))), len(r.payload)/4)}
	}
	return numbers{raw: r.payload}
}

// add adds the elements of m.
func (n numbers) add(m numbers) {
	for i, v := range m.f64[:len(n.f64)] {
		n.f64[i] += v
	}
	for i, v := range m.f32[:len(n.f32)] {
		n.f32[i] += v
	}
}

// set takes the elements of m.
func (n numbers) set(m numbers) { copy(n.bytes(), m.bytes()) }
