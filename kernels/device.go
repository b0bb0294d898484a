package kernels

import "errors"

// ErrMemory is the error of a device that has no memory left.
var ErrMemory = errors.New("out of memory")

// Device executes operations on tensors. All tensors of a call are in its memory. The tape checks
// shapes; devices need not. No result depends on the number of processors.
type Device interface {
	// Name names the device, such as "cpu/avx512".
	Name() string
	// ElementBytes is the size of an element: 4 or 8.
	ElementBytes() int
	// UsesHalf reports whether linear layers read the bf16 copy, Tensor.Half, of their input and
	// weights, if there is one.
	UsesHalf() bool
	// Alloc allocates memory for n elements, which are 0.
	Alloc(n int) Memory
	// Slice returns a part of a memory: n elements from the element offset.
	Slice(m Memory, offset, n int) Memory
	// Free frees memory that Alloc returned.
	Free(m Memory)
	// Zero sets all elements to 0.
	Zero(t Tensor)
	// Write copies elements from the host to t, and to its Half. len(from) is t.Len().
	Write(t Tensor, from []float64)
	// Read copies elements to the host, after all calls so far are done.
	Read(to []float64, t Tensor)
	// Ints copies indices to the device. They are valid until the next Reset, and from must not
	// change until then.
	Ints(from []int32) Ints
	// Bytes copies bytes to the device, as Ints does indices.
	Bytes(from []byte) Bytes
	// Reset ends the validity of all Ints and Bytes.
	Reset()
	// Err returns the first error, such as a lack of memory. After an error, calls do nothing, and
	// Read returns NaN. Devices that cannot fail return nil.
	Err() error
	// Close releases all that the device holds.
	Close() error

	addOps
	adamwOps
	attentionOps
	averagePoolOps
	batchNormOps
	blockOps
	contrastiveOps
	focalOps
	gatherOps
	hingeOps
	layerNormOps
	layerScaleOps
	linearOps
	normOps
	normalizeOps
	pairOps
	patchifyOps
	pooledCosineOps
	productOps
	rowDotOps
	scoreOps
	segmentOps
	sigmoidOps
	similarityOps
	slotsOps
	tokensOps
	unfoldOps
	visionOps
	windowAttentionOps
}
