package kernels

type blockOps interface {
	// BlockProduct is y = x·zᵀ of the blocks that b lists: x [n, w], z [blocks·y.Cols, w],
	// y [rows of all blocks, cols].
	BlockProduct(y, x, z Tensor, b Blocks)
	// BlockProductBackward computes gradients from dy. Each gradient may be nil.
	BlockProductBackward(dx, dz Grad, dy, x, z Tensor, b Blocks)
}

// Blocks compare texts with the patches of images. Block i has the rows First[i] to First[i] +
// Starts[i+1] − Starts[i] − 1 of one matrix, and image i's rows of another; all images have equally
// many. Its results are the rows Starts[i] to Starts[i+1]-1. Several blocks may have the same rows.
type Blocks struct{ First, Starts Ints }

// countBlocks returns the number of blocks.
func (b Blocks) countBlocks() int { return b.First.Len() }

// Rows returns the first row of block i in the compared matrix, the first of its results, and how many
// there are.
func (b Blocks) Rows(i int) (first, result, n int) {
	start := b.Starts.Host[i]
	return int(b.First.Host[i]), int(start), int(b.Starts.Host[i+1] - start)
}

// haveRowsOf reports whether the blocks have rows of a matrix of n rows.
func (b Blocks) haveRowsOf(n int) bool {
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

// BlockProduct is the products of rows of x [n, w] with the rows of images in z [images·p, w], block
// by block: a row for each row of a block, of p products.
func (t *Tape) BlockProduct(x, z *Var, b Blocks) *Var {
	checkShape(x.Value.Cols == z.Value.Cols && b.haveRowsOf(x.Value.Rows), "the blocks are not rows of what is compared")
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
