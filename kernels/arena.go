package kernels

// align is what the offsets of tensors in an arena are multiples of, in elements.
const align = 32

// Arena is memory that a step takes its tensors from, and that is emptied at
// once. Where it is too small it takes another block; when it is emptied, its
// blocks become one, so that steps of one size allocate nothing from the second on.
type Arena struct {
	device Device
	blocks []block
	// used and size are of the last block; before are the elements of the others.
	used, size, before int
	top                int
}

type block struct {
	memory Memory
	size   int
}

// NewArena takes memory for tensors of elements in all, as a Plan counts them.
func NewArena(d Device, elements int) *Arena {
	a := &Arena{device: d}
	a.add(elements)
	return a
}

// add takes a block of at least n elements.
func (a *Arena) add(n int) {
	n = aligned(n)
	a.before += a.used
	a.used, a.size = 0, n
	a.blocks = append(a.blocks, block{a.device.Alloc(n), n})
}

// aligned is n, rounded up to where the next tensor begins.
func aligned(n int) int { return (n + align - 1) / align * align }

// Tensor takes a matrix, whose elements are whatever was there.
func (a *Arena) Tensor(rows, cols int) Tensor {
	n := aligned(rows * cols)
	if a.used+n > a.size {
		a.add(max(n, a.size/2))
	}
	t := Tensor{Rows: rows, Cols: cols, Memory: a.device.Slice(a.blocks[len(a.blocks)-1].memory, a.used, rows*cols)}
	a.used += n
	a.top = max(a.top, a.Used())
	return t
}

// Empty makes all of the arena free; its tensors are no longer valid.
func (a *Arena) Empty() {
	if len(a.blocks) > 1 {
		a.Free()
		a.add(a.top)
	}
	a.used, a.before = 0, 0
}

// Used is the number of elements taken since it was empty.
func (a *Arena) Used() int { return a.before + a.used }

// Top is the most elements that were ever in use.
func (a *Arena) Top() int { return a.top }

// Free gives the memory back.
func (a *Arena) Free() {
	for _, b := range a.blocks {
		a.device.Free(b.memory)
	}
	a.blocks, a.used, a.size, a.before = a.blocks[:0], 0, 0, 0
}
