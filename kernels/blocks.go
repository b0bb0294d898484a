package kernels

type blockOps interface {
	// BlockProduct computes y = x·zᵀ for each block of b: x [n, w], z [blocks·p, w], y [rows of all
	// blocks, p].
	BlockProduct(y, x, z Tensor, b Blocks)
	// BlockProductBackward computes gradients from dy. Each gradient may be none.
	BlockProductBackward(dx, dz Grad, dy, x, z Tensor, b Blocks)
}

// Blocks says which rows BlockProduct multiplies, such as texts with the patches of images. Block i
// multiplies the Starts[i+1] − Starts[i] rows from First[i] on of x with the p rows of image i in
// z. Its results are the rows Starts[i] to Starts[i+1]-1 of y. Blocks may share rows of x.
type Blocks struct{ First, Starts Ints }

// countBlocks returns the number of blocks.
func (b Blocks) countBlocks() int { return b.First.Len() }

// Rows returns the first row of block i in x, the first row of its results in y, and the number of
// its rows.
func (b Blocks) Rows(i int) (first, result, n int) {
	start := b.Starts.Host[i]
	return int(b.First.Host[i]), int(start), int(b.Starts.Host[i+1] - start)
}

// fitRows reports whether the blocks are well formed and lie within the n rows of x.
func (b Blocks) fitRows(n int) bool {
	if b.Starts.Len() != b.countBlocks()+1 || b.Starts.Host[0] != 0 {
		return false
	}
	for i := range b.countBlocks() {
		if first, _, rows := b.Rows(i); first < 0 || rows < 0 || first+rows > n {
			return false
		}
	}
	return true
}

// BlockProduct returns, for each row of each block, its products with the p rows of the block's
// image in z [images·p, w]: [rows of all blocks, p]. The rows of blocks are rows of x [n, w].
func (t *Tape) BlockProduct(x, z *Var, b Blocks) *Var {
	checkShape(x.Value.Cols == z.Value.Cols && b.fitRows(x.Value.Rows), "the blocks are not rows of what is compared")
	checkShape(b.countBlocks() > 0 && z.Value.Rows%b.countBlocks() == 0, "the images of blocks do not have the same number of rows")
	y := t.newResult(int(b.Starts.Host[b.countBlocks()]), z.Value.Rows/b.countBlocks(), x, z)
	t.Device.BlockProduct(y.Value, x.Value, z.Value, b)
	return t.addRecord(record{backward: blockProductBackward, in: [4]*Var{x, z}, out: y, ints: [5]Ints{b.First, b.Starts}})
}

func blockProductBackward(t *Tape, r *record) {
	x, z := r.in[0], r.in[1]
	t.Device.BlockProductBackward(t.gradOf(x), t.gradOf(z), r.out.Grad, x.Value, z.Value, Blocks{r.ints[0], r.ints[1]})
}

// BlockProduct implements Device.
func (*Reference) BlockProduct(y, x, z Tensor, b Blocks) {
	for i := range b.countBlocks() {
		first, result, n := b.Rows(i)
		for k := range n {
			for p := range y.Cols {
				y.row(result + k)[p] = dot(x.row(first+k), z.row(i*y.Cols+p))
			}
		}
	}
}

// BlockProductBackward implements Device.
func (*Reference) BlockProductBackward(dx, dz Grad, dy, x, z Tensor, b Blocks) {
	for _, g := range []Grad{dx, dz} {
		if !g.IsNone() && !g.Add {
			clear(g.F64)
		}
	}
	for i := range b.countBlocks() {
		first, result, n := b.Rows(i)
		for k := range n {
			for p, d := range dy.row(result + k) {
				from, patch := x.row(first+k), z.row(i*dy.Cols+p)
				for c := range x.Cols {
					if !dx.IsNone() {
						dx.row(first + k)[c] += d * patch[c]
					}
					if !dz.IsNone() {
						dz.row(i*dy.Cols + p)[c] += d * from[c]
					}
				}
			}
		}
	}
}
