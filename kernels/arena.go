package kernels

import "fmt"

// align is what the offsets of tensors in an arena are multiples of, in elements.
const align = 32

// Arena is memory that a step takes its tensors from, and that is emptied at once.
type Arena struct {
	device    Device
	memory    Memory
	size      int
	used, top int
}

// NewArena takes memory for tensors of elements in all, as a Plan counts them.
func NewArena(d Device, elements int) *Arena {
	return &Arena{device: d, memory: d.Alloc(elements), size: elements}
}

// Tensor takes a matrix, whose elements are whatever was there.
func (a *Arena) Tensor(rows, cols int) Tensor {
	n := (rows*cols + align - 1) / align * align
	if a.used+n > a.size {
		panic(fmt.Sprintf("kernels: an arena of %d elements is too small: it has %d in use and %d are wanted", a.size, a.used, n))
	}
	t := Tensor{Rows: rows, Cols: cols, Memory: a.device.Slice(a.memory, a.used, rows*cols)}
	a.used += n
	a.top = max(a.top, a.used)
	return t
}

// Empty makes all of the arena free; its tensors are no longer valid.
func (a *Arena) Empty() { a.used = 0 }

// Used is the number of elements taken since it was empty, Top the most ever.
func (a *Arena) Used() int { return a.used }

// Top is the most elements that were ever in use.
func (a *Arena) Top() int { return a.top }

// Free gives the memory back.
func (a *Arena) Free() { a.device.Free(a.memory) }
