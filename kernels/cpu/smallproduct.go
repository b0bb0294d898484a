package cpu

import "capgraph/kernels/cpu/simd"

// smallProduct computes products of matrices that are small enough for one worker, such as those of
// one sequence and head.
type smallProduct struct {
	set     *simd.Set
	out     []float32 // one tile
	lines   []float32 // the last rows of A
	columns []float32 // B, packed
}

// roundUp rounds n up to a multiple of size.
func roundUp(n, size int) int { return (n + size - 1) / size * size }

// smallProductMemory returns how many numbers of memory a smallProduct needs for an A of up to
// depth columns and a B of up to cols columns.
func smallProductMemory(set *simd.Set, depth, cols int) int {
	return set.Height*(set.Width+depth) + depth*roundUp(cols, set.Width)
}

// newSmallProduct returns a smallProduct that uses the first smallProductMemory numbers of memory,
// and the rest of memory.
func newSmallProduct(set *simd.Set, memory []float32, depth, cols int) (smallProduct, []float32) {
	tile, lines, all := set.Height*set.Width, set.Height*depth, smallProductMemory(set, depth, cols)
	return smallProduct{set, memory[:tile], memory[tile : tile+lines], memory[tile+lines : all]}, memory[all:]
}

// multiply computes C = A·B or, if add is true, C += A·B. If roomy is true, there is memory beyond
// C's last row and column, and whole tiles are written.
func (s *smallProduct) multiply(c, a, b matrix, add, roomy bool) {
	height, width, deep := s.set.Height, s.set.Width, a.cols
	f, last := s.set.TileRows, (height-1)*a.stride+deep
	if a.transposed {
		f, last = s.set.TileColumns, (deep-1)*a.stride+height
	}
	for column := 0; column < c.cols; column += width {
		packPanel(s.set, s.columns[column*deep:], b, column, 0, deep)
	}
	for top := 0; top < c.rows; top += height {
		// A tile reads whole blocks of rows. If A ends before, its last rows are copied to memory
		// that is long enough.
		lines, stride, tile := a.data[top*a.stride:], a.stride, f
		if a.transposed {
			lines = a.data[top:]
		}
		if len(lines) < last {
			packRows(s.set, s.lines, a, top, a.rows, 0, deep)
			lines, stride, tile = s.lines, height, s.set.TileColumns
		}
		for column := 0; column < c.cols; column += width {
			s.computeTile(c, top, column, tile, lines, stride, deep, add, roomy)
		}
	}
}

// computeTile computes the tile of C whose first element is in row top and the given column.
func (s *smallProduct) computeTile(c matrix, top, column int, f simd.Tile, a []float32, stride, deep int, add, roomy bool) {
	height, width := s.set.Height, s.set.Width
	b := s.columns[column*deep:][:width*deep]
	rows, cols := min(height, c.rows-top), min(width, c.cols-column)
	to := c.data[top*c.stride+column:]
	if roomy || rows == height && cols == width {
		f(to, c.stride, a, stride, b, deep, add)
		return
	}
	f(s.out, width, a, stride, b, deep, false)
	storeTile(to, c.stride, s.out, rows, cols, width, add)
}

// storeTile copies the first rows and cols of the tile out to c, or adds them if add is true.
func storeTile(c []float32, stride int, out []float32, rows, cols, width int, add bool) {
	for i := range rows {
		to, from := c[i*stride:][:cols], out[i*width:][:cols]
		if !add {
			copy(to, from)
			continue
		}
		for j, v := range from {
			to[j] += v
		}
	}
}
