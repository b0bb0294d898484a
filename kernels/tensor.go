package kernels

// Memory is numbers in the memory of a device: one of its fields, by the device.
type Memory struct {
	F32     []float32 // of a device that computes in float32 on the host
	F64     []float64 // of a device that computes in float64 on the host
	Address uint64    // on a device with memory of its own
}

// Tensor is a dense row-major matrix [Rows, Cols] in the memory of a device. A
// vector has one row; the zero Tensor stands for none.
type Tensor struct {
	Rows, Cols int
	Memory
}

// Len is the number of elements.
func (t Tensor) Len() int { return t.Rows * t.Cols }

// None says whether there is no tensor; one without elements is one.
func (t Tensor) None() bool { return t.Cols == 0 }

// Grad is where the gradient of a tensor goes: where Add is set, it is added to
// what is there, else it takes its place. None where nobody wants it.
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

// Bytes are pixels or masks in the memory of a device.
type Bytes struct {
	Host    []byte // a device with memory of its own has a copy at Address
	Address uint64
}

// Len is the number of bytes.
func (b Bytes) Len() int { return len(b.Host) }
