package kernels

// align is the factor of all offsets of tensors in an arena, in elements.
const align = 32

// Arena is memory that a step takes its tensors from, and that is emptied at once. If it is too
// small, it takes another block. When it is emptied, its blocks become one, so that steps of the
// same size allocate nothing from the second on.
type Arena struct {
	device Device
	blocks []block
	last   int // the block that tensors are taken from
	top    int
}

type block struct {
	memory     Memory
	size, used int
}

// NewArena returns an arena with room for tensors of elements in all.
func NewArena(d Device, elements int) *Arena {
	a := &Arena{device: d}
	a.addBlock(elements)
	return a
}

// addBlock takes a block of at least n elements and makes it the last.
func (a *Arena) addBlock(n int) {
	n = alignUp(n)
	a.blocks = append(a.blocks, block{memory: a.device.Alloc(n), size: n})
	a.last = len(a.blocks) - 1
}

// alignUp rounds n up to the offset of the next tensor.
func alignUp(n int) int { return (n + align - 1) / align * align }

// Tensor takes a matrix. Its elements are not initialised.
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

// takeHalf takes room for n elements of bf16.
func (a *Arena) takeHalf(n int) uint64 { return a.Tensor(1, (n+1)/2).Address }

// Reset frees all memory of the arena at once. Its tensors are no longer valid.
func (a *Arena) Reset() {
	if len(a.blocks) > 1 {
		a.Free()
		a.addBlock(a.top)
	}
	a.last, a.blocks[0].used = 0, 0
}

// Mark is how much of an arena is in use at one moment.
type Mark struct{ block, used int }

// Mark returns how much is in use now.
func (a *Arena) Mark() Mark { return Mark{a.last, a.blocks[a.last].used} }

// Release frees what was taken since a mark. A mark is invalid after Reset.
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

// Free frees the memory of the device.
func (a *Arena) Free() {
	for _, b := range a.blocks {
		a.device.Free(b.memory)
	}
	a.blocks, a.last = a.blocks[:0], 0
}
