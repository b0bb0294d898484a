package kernels

// align is the alignment of tensors in an arena: their offsets are multiples of this many elements.
const align = 32

// Arena is the memory in which a step allocates its tensors. Reset frees them all at once. A full
// arena allocates another block; Reset replaces several blocks by one, so that from the second step
// on, steps of the same size allocate nothing.
type Arena struct {
	device Device
	blocks []block
	last   int // index of the block in which tensors are allocated
	top    int
}

type block struct {
	memory     Memory
	size, used int
}

// NewArena returns an arena with room for that many elements.
func NewArena(d Device, elements int) *Arena {
	a := &Arena{device: d}
	a.addBlock(elements)
	return a
}

// addBlock allocates a block of at least n elements and appends it.
func (a *Arena) addBlock(n int) {
	n = alignUp(n)
	a.blocks = append(a.blocks, block{memory: a.device.Alloc(n), size: n})
	a.last = len(a.blocks) - 1
}

// alignUp rounds n up to a multiple of align.
func alignUp(n int) int { return (n + align - 1) / align * align }

// Tensor allocates a matrix. Its elements are not initialised.
func (a *Arena) Tensor(rows, cols int) Tensor {
	n := alignUp(rows * cols)
	for a.last < len(a.blocks)-1 && !a.blocks[a.last].fits(n) {
		a.last++
	}
	if !a.blocks[a.last].fits(n) {
		a.addBlock(max(n, a.blocks[a.last].size/2))
	}
	b := &a.blocks[a.last]
	t := Tensor{Rows: rows, Cols: cols, Memory: a.device.Slice(b.memory, b.used, rows*cols)}
	b.used += n
	a.top = max(a.top, a.Used())
	return t
}

// fits reports whether n more elements fit into the block.
func (b *block) fits(n int) bool { return b.used+n <= b.size }

// allocHalf allocates n elements of bf16 and returns their address.
func (a *Arena) allocHalf(n int) uint64 { return a.Tensor(1, (n+1)/2).Address }

// Reset frees all memory of the arena at once. Its tensors are no longer valid.
func (a *Arena) Reset() {
	if len(a.blocks) > 1 {
		a.Free()
		a.addBlock(a.top)
	}
	a.last, a.blocks[0].used = 0, 0
}

// Mark is a position in an arena: what is allocated after it can be freed by Release.
type Mark struct{ block, used int }

// Mark returns the position at which the next tensor is allocated.
func (a *Arena) Mark() Mark { return Mark{a.last, a.blocks[a.last].used} }

// Release frees what was allocated since a mark. A mark is invalid after Reset.
func (a *Arena) Release(m Mark) {
	for i := m.block + 1; i <= a.last; i++ {
		a.blocks[i].used = 0
	}
	a.last, a.blocks[m.block].used = m.block, m.used
}

// Used returns the number of elements in use.
func (a *Arena) Used() (n int) {
	for i := range a.blocks {
		n += a.blocks[i].used
	}
	return n
}

// Peak returns the most elements that were ever in use.
func (a *Arena) Peak() int { return a.top }

// Free gives all blocks back to the device.
func (a *Arena) Free() {
	for _, b := range a.blocks {
		a.device.Free(b.memory)
	}
	a.blocks, a.last = a.blocks[:0], 0
}
