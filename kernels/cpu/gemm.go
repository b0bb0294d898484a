package cpu

import "capgraph/kernels/cpu/simd"

// epilogue is what follows a product: it adds a bias and a residual, and applies an activation.
type epilogue interface {
	// applyRow processes the columns first to last-1 of row i, which are finished.
	applyRow(i, first, last int)
}

// gemm is the product of two matrices in blocks, as in BLIS (Van Zee and van de Geijn 2015). B is
// packed into panels as wide as a tile, one block of its rows at a time. Then every tile of C adds
// up its products of that block, in an order that does not depend on the worker.
type gemm struct {
	d        *Device
	c, a, b  matrix
	add      bool
	epilogue epilogue
	packed   []float32

	// blockStart is the first column of A, and row of B, in the current block; blockLength is their
	// number.
	blockStart, blockLength  int
	packing                  bool
	partRows, partPanels     int // rows and panels of C in one part
	partsAcross, totalPanels int // parts side by side; panels in all
}

// multiply computes C = A·B or, if add is true, C += A·B, then applies then, which may be nil. C is
// not transposed.
func (d *Device) multiply(c, a, b matrix, add bool, then epilogue) {
	if a.cols == 0 {
		multiplyEmpty(c, add, then)
		return
	}
	g := &d.gemm
	*g = gemm{d: d, c: c, a: a, b: b, add: add, epilogue: then, packed: g.packed}
	width := d.set.Width
	g.totalPanels = (c.cols + width - 1) / width
	depth := d.set.Depth
	if need := g.totalPanels * width * min(depth, a.cols); len(g.packed) < need {
		g.packed = make([]float32, need)
	}
	g.planParts()
	for first := 0; first < a.cols; first += depth {
		g.blockStart, g.blockLength = first, min(depth, a.cols-first)
		g.packing = true
		d.pool.run(g.totalPanels, g)
		g.packing = false
		d.pool.run((c.rows+g.partRows-1)/g.partRows*g.partsAcross, g)
		g.add = true
	}
}

// multiplyEmpty is multiply for an A without columns: every sum is 0.
func multiplyEmpty(c matrix, add bool, then epilogue) {
	for i := range c.rows {
		if !add {
			clear(c.data[i*c.stride : i*c.stride+c.cols])
		}
		if then != nil {
			then.applyRow(i, 0, c.cols)
		}
	}
}

// planParts divides C into parts of partRows rows by partPanels panels: several parts for each
// worker, with few enough rows of A for the second-level cache.
func (g *gemm) planParts() {
	height, wanted := g.d.set.Height, 4*len(g.d.pool.workers)
	tall := (g.c.rows + height - 1) / height
	g.partRows = height * min(max((tall+wanted-1)/wanted, 1), g.d.set.Rows/height)
	down := max((g.c.rows+g.partRows-1)/g.partRows, 1)
	g.partsAcross = max(min((wanted+down-1)/down, g.totalPanels), 1)
	g.partPanels = max((g.totalPanels+g.partsAcross-1)/g.partsAcross, 1)
	g.partsAcross = max((g.totalPanels+g.partPanels-1)/g.partPanels, 1)
}

// runPart implements task.
func (g *gemm) runPart(w *worker, i int) {
	if g.packing {
		width := g.d.set.Width
		packPanel(&g.d.set, g.packed[i*width*g.blockLength:], g.b, i*width, g.blockStart, g.blockLength)
		return
	}
	down, across := i/g.partsAcross, i%g.partsAcross
	top, bottom := down*g.partRows, min((down+1)*g.partRows, g.c.rows)
	left, right := across*g.partPanels, min((across+1)*g.partPanels, g.totalPanels)
	height, width := g.d.set.Height, g.d.set.Width

	// Rows of A before from are read in place, the others are packed: the last rows if they do not
	// fill a tile, or all rows if packing is faster.
	from := bottom - (bottom-top)%height
	if columns := (right - left) * width; columns > 512 || g.a.transposed && columns > 96 {
		from = top
	}
	beside := w.floats(height*width + (bottom-from+height)*g.blockLength)
	out, packed := beside[:height*width], beside[height*width:]
	packRows(&g.d.set, packed, g.a, from, bottom, g.blockStart, g.blockLength)
	for panel := left; panel < right; panel++ {
		for row := top; row < bottom; row += height {
			switch {
			case row >= from:
				g.computeTile(out, row, panel, g.d.set.TileColumns, packed[(row-from)*g.blockLength:], height)
			case g.a.transposed:
				g.computeTile(out, row, panel, g.d.set.TileColumns, g.a.data[g.blockStart*g.a.stride+row:], g.a.stride)
			default:
				g.computeTile(out, row, panel, g.d.set.TileRows, g.a.data[row*g.a.stride+g.blockStart:], g.a.stride)
			}
		}
	}
	if g.epilogue != nil && g.blockStart+g.blockLength == g.a.cols {
		for row := top; row < bottom; row++ {
			g.epilogue.applyRow(row, left*width, min(right*width, g.c.cols))
		}
	}
}

// computeTile computes the tile of C at a row and a panel with f, from the rows in a. A tile that
// extends beyond C is computed in out.
func (g *gemm) computeTile(out []float32, row, panel int, f simd.Tile, a []float32, lda int) {
	height, width := g.d.set.Height, g.d.set.Width
	column := panel * width
	b := g.packed[panel*width*g.blockLength : (panel+1)*width*g.blockLength]
	rows, cols := min(height, g.c.rows-row), min(width, g.c.cols-column)
	c := g.c.data[row*g.c.stride+column:]
	if rows == height && cols == width {
		f(c, g.c.stride, a, lda, b, g.blockLength, g.add)
		return
	}
	f(out, width, a, lda, b, g.blockLength, false)
	storeTile(c, g.c.stride, out, rows, cols, width, g.add)
}
