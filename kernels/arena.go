package kernels

// align is what the offsets of tensors in an arena are multiples of, in elements.
const align = 32

// Arena is memory that a step takes its tensors from, and that is emptied at
// once. Where it is too small it takes another block; when it is emptied, its
// blocks become one, so that steps of one size allocate nothing from the second on.
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

// NewArena takes memory for tensors of elements in all, as a Plan counts them.
func NewArena(d Device, elements int) *Arena {
	a := &Arena{device: d}
	a.add(elements)
	return a
}

// add takes a block of at least n elements, which is the last.
func (a *Arena) add(n int) {
	n = aligned(n)
	a.blocks = append(a.blocks, block{memory: a.device.Alloc(n), size: n})
	a.last = len(a.blocks) - 1
}

// aligned is n, rounded up to where the next tensor begins.
func aligned(n int) int { return (n + align - 1) / align * align }

// Tensor takes a matrix, whose elements are whatever was there.
func (a *Arena) Tensor(rows, cols int) Tensor {
	n := aligned(rows * cols)
	for a.last < len(a.blocks)-1 && !a.blocks[a.last].fits(n) {
		a.last++
	}
	if !a.blocks[a.last].fits(n) {
		a.add(max(n, a.blocks[a.last].size/2))
	}
	b := &a.blocks[a.last]
	t := Tensor{Rows: rows, Cols: cols, Memory: a.device.Slice(b.memory, b.used, rows*cols)}
	b.used += n
	a.top = max(a.top, a.Used())
	return t
}

func (b *block) fits(n int) bool { return b.used+n <= b.size }

// half takes room for n elements of bf16.
func (a *Arena) half(n int) uint64 { return a.Tensor(1, (n+1)/2).Address }

// Empty makes all of the arena free; its tensors are no longer valid.
func (a *Arena) Empty() {
	if len(a.blocks) > 1 {
		a.Free()
		a.add(a.top)
	}
	a.last, a.blocks[0].used = 0, 0
}

// Mark is what is in use of an arena at a time.
type Mark struct{ block, used int }

// Mark is what is in use now.
func (a *Arena) Mark() Mark { return Mark{a.last, a.blocks[a.last].used} }

// Release makes free again what was taken since a mark, which is of no use once the
// arena was emptied.
func (a *Arena) Release(m Mark) {
	for i := m.block + 1; i <= a.last; i++ {
		a.blocks[i].used = 0
	}
	a.last, a.blocks[m.block].used = m.block, m.used
}

// Used is the number of elements in use.
func (a *Arena) Used() (n int) {
	for i := range a.blocks {
		n += a.blocks[i].used
	}
	return n
}

// Top is the most elements that were ever in use.
func (a *Arena) Top() int { return a.top }

// Free gives the memory back.
func (a *Arena) Free() {
	for _, b := range a.blocks {
		a.device.Free(b.memory)
	}
	a.blocks, a.last = a.blocks[:0], 0
}
