package kernels

import "errors"

// ErrMemory is what Err is of a device that has no memory left.
var ErrMemory = errors.New("out of memory")

// Device computes. All tensors of a call are of its memory. Shapes are those
// that the operations say; the tape checks them, devices need not. No result
// depends on how many processors there are.
type Device interface {
	// Name says what computes, such as "cpu/avx512".
	Name() string
	// ElementBytes is the size of an element: 4 or 8.
	ElementBytes() int
	// Halves says whether linear layers read Half of their input and weights, where they
	// have it.
	Halves() bool
	// Alloc takes memory for n elements, zero.
	Alloc(n int) Memory
	// Slice is a part of a memory: n elements from the element offset.
	Slice(m Memory, offset, n int) Memory
	// Free gives back what Alloc took.
	Free(m Memory)
	// Zero sets all elements to 0.
	Zero(t Tensor)
	// Write copies elements from the host, and Half of them; len(from) is t.Len().
	Write(t Tensor, from []float64)
	// Read copies elements to the host, once all that was asked for is done.
	Read(to []float64, t Tensor)
	// Ints makes indices available to the device. They are valid, and from must
	// stay as it is, until the next Reset.
	Ints(from []int32) Ints
	// Bytes does the same for bytes.
	Bytes(from []byte) Bytes
	// Reset ends the validity of all Ints and Bytes.
	Reset()
	// Err is the first thing that went wrong, such as memory that was not to be had;
	// nothing is done after it, and Read gives NaN. It is nil of devices that cannot fail.
	Err() error
	// Close gives back all that the device holds.
	Close() error

	addOps
	adamwOps
	attentionOps
	averagePoolOps
	batchNormOps
	contrastiveOps
	gatherOps
	hingeOps
	layerNormOps
	layerScaleOps
	linearOps
	normOps
	normalizeOps
	patchifyOps
	productOps
	rowDotOps
	scoreOps
	segmentOps
	similarityOps
	slotsOps
	tokensOps
	unfoldOps
	visionOps
	windowAttentionOps
}
