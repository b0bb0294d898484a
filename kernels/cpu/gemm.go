package cpu

import "capgraph/kernels/cpu/simd"

// depth is how many products of a sum a tile adds before it goes on to the next
// tile: a packed panel of B of that depth stays in the first cache.
const depth = 256

// after is what is done to rows of a product once they are known.
type after interface {
	// row is given the columns first to last of row i.
	row(i, first, last int)
}

// gemm is the product of two matrices in blocks, as BLIS has it (Van Zee and
// van de Geijn 2015): B is packed into panels as wide as a tile, a depth at a
// time, and then every tile of C adds up its products of that depth, in an order
// that does not depend on who computes it.
type gemm struct {
	d       *Device
	c, a, b matrix
	add     bool
	after   after
	packed  []float32

	first, deep   int // the first product of this depth, and how many there are
	packing       bool
	rows, panels  int // of C that are one part
	across, total int // parts beside each other, panels in all
}

// multiply is C = A·B or, where add is set, C += A·B. C [m, n] is not transposed.
func (d *Device) multiply(c, a, b matrix, add bool, then after) {
	if a.cols == 0 {
		empty(c, add, then)
		return
	}
	g := &d.gemm
	*g = gemm{d: d, c: c, a: a, b: b, add: add, after: then, packed: g.packed}
	width := d.set.Width
	g.total = (c.cols + width - 1) / width
	if need := g.total * width * min(depth, a.cols); len(g.packed) < need {
		g.packed = make([]float32, need)
	}
	g.split()
	for first := 0; first < a.cols; first += depth {
		g.first, g.deep = first, min(depth, a.cols-first)
		g.packing = true
		d.pool.run(g.total, g)
		g.packing = false
		d.pool.run((c.rows+g.rows-1)/g.rows*g.across, g)
		g.add = true
	}
}

// empty is a product whose sums have no terms.
func empty(c matrix, add bool, then after) {
	for i := range c.rows {
		if !add {
			clear(c.data[i*c.stride : i*c.stride+c.cols])
		}
		if then != nil {
			then.row(i, 0, c.cols)
		}
	}
}

// split decides what a part is: some rows of A, which stay in the second cache,
// by some panels, so that there are several parts for each worker.
func (g *gemm) split() {
	height, wanted := g.d.set.Height, 4*len(g.d.pool.workers)
	tall := (g.c.rows + height - 1) / height
	g.rows = height * min(max((tall+wanted-1)/wanted, 1), 240/height)
	down := max((g.c.rows+g.rows-1)/g.rows, 1)
	g.across = max(min((wanted+down-1)/down, g.total), 1)
	g.panels = max((g.total+g.across-1)/g.across, 1)
	g.across = max((g.total+g.panels-1)/g.panels, 1)
}

// part implements work.
func (g *gemm) part(w *worker, i int) {
	if g.packing {
		width := g.d.set.Width
		packPanel(&g.d.set, g.packed[i*width*g.deep:], g.b, i*width, g.first, g.deep)
		return
	}
	down, across := i/g.across, i%g.across
	top, bottom := down*g.rows, min((down+1)*g.rows, g.c.rows)
	left, right := across*g.panels, min((across+1)*g.panels, g.total)
	height, width := g.d.set.Height, g.d.set.Width

	// Rows are read where they lie, except for the last, fewer than a tile has,
	// and for columns that are far apart and needed several times.
	from := bottom - (bottom-top)%height
	if g.a.transposed && (right-left)*width > 96 {
		from = top
	}
	beside := w.floats(height*width + (bottom-from+height)*g.deep)
	out, packed := beside[:height*width], beside[height*width:]
	packRows(packed, g.a, from, bottom, g.first, g.deep, height)
	for panel := left; panel < right; panel++ {
		for row := top; row < bottom; row += height {
			switch {
			case row >= from:
				g.tile(out, row, panel, g.d.set.TileColumns, packed[(row-from)*g.deep:], height)
			case g.a.transposed:
				g.tile(out, row, panel, g.d.set.TileColumns, g.a.data[g.first*g.a.stride+row:], g.a.stride)
			default:
				g.tile(out, row, panel, g.d.set.TileRows, g.a.data[row*g.a.stride+g.first:], g.a.stride)
			}
		}
	}
	if g.after != nil && g.first+g.deep == g.a.cols {
		for row := top; row < bottom; row++ {
			g.after.row(row, left*width, min(right*width, g.c.cols))
		}
	}
}

// tile computes the tile of a row and a panel with f, from a. One that juts out
// of C is computed in out.
func (g *gemm) tile(out []float32, row, panel int, f simd.Tile, a []float32, lda int) {
	height, width := g.d.set.Height, g.d.set.Width
	column := panel * width
	b := g.packed[panel*width*g.deep : (panel+1)*width*g.deep]
	rows, cols := min(height, g.c.rows-row), min(width, g.c.cols-column)
	c := g.c.data[row*g.c.stride+column:]
	if rows == height && cols == width {
		f(c, g.c.stride, a, lda, b, g.deep, g.add)
		return
	}
	f(out, width, a, lda, b, g.deep, false)
	putTile(c, g.c.stride, out, rows, cols, width, g.add)
}
