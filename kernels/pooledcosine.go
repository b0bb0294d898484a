package kernels

import "math"

// PatchWeights is the formula by which a text's similarities to the patches of an image become
// weights.
type PatchWeights int

const (
	// SoftmaxWeights is the softmax of the similarities (C2LIP's attention).
	SoftmaxWeights PatchWeights = iota
	// MinMaxWeights subtracts the smallest similarity and divides by the sum (FSC-CLIP, eq. 4). If
	// all similarities are equal, so are the weights. Backward treats these weights as constants.
	MinMaxWeights
)

type pooledCosineOps interface {
	// PooledCosine computes y [1, n] from s [n, p] and g [images·p, p]: y_r = a·s_r / √(aᵀ·G_i·a),
	// where a are the weights of row s_r, i is its image according to starts, and G_i are the rows
	// of image i in g. kept [n, p+1], or none, keeps the weights and the root.
	PooledCosine(y, kept, s, g Tensor, starts Ints, weights PatchWeights)
	// PooledCosineBackward computes the gradients of s and g from dy [1, n]. Each may be none. The
	// gradient of g is symmetric.
	PooledCosineBackward(ds, dg Grad, dy, y, kept, s, g Tensor, starts Ints, weights PatchWeights)
}

// MinPooledNorm is the least length of a weighted mean of patches that PooledCosine divides by.
const MinPooledNorm = 1e-8

// PooledCosine returns, for each text, its cosine with a weighted mean of its image's patches: [1,
// n]. The mean itself is not computed. s [n, p] has the inner products of texts of length 1 with
// the p patches of their image, and g [images·p, p] the inner products of the patches of each
// image. The texts of image i are the rows starts[i] to starts[i+1]-1.
func (t *Tape) PooledCosine(s, g *Var, starts Ints, weights PatchWeights) *Var {
	n, p := s.Value.Rows, s.Value.Cols
	checkShape(starts.covers(n), "the images' texts are not the rows")
	checkShape(g.Value.Cols == p && g.Value.Rows == p*(starts.Len()-1), "the patches of images do not fit their texts")
	y := t.newResult(1, n, s, g)
	r := record{backward: pooledCosineBackward, in: [4]*Var{s, g}, out: y, number: [4]int{int(weights)}, ints: [5]Ints{starts}}
	r.saved[0] = t.newSaved(y, n, p+1)
	t.Device.PooledCosine(y.Value, r.saved[0], s.Value, g.Value, starts, weights)
	return t.addRecord(r)
}

func pooledCosineBackward(t *Tape, r *record) {
	s, g := r.in[0], r.in[1]
	t.Device.PooledCosineBackward(t.gradOf(s), t.gradOf(g), r.out.Grad, r.out.Value, r.saved[0], s.Value, g.Value, r.ints[0], PatchWeights(r.number[0]))
}

// weighPatches writes the weights of the similarities s to a.
func (w PatchWeights) weighPatches(a, s []float64) {
	least, most, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range s {
		least, most = min(least, v), max(most, v)
	}
	for p, v := range s {
		switch {
		case w == SoftmaxWeights:
			a[p] = math.Exp(v - most)
		case most > least:
			a[p] = v - least
		default:
			a[p] = 1 + (v - v) // NaN stays
		}
		sum += a[p]
	}
	for p := range a {
		a[p] /= sum
	}
}

// PooledCosine implements Device.
func (d *Reference) PooledCosine(y, kept, s, g Tensor, starts Ints, weights PatchWeights) {
	for i := range starts.Len() - 1 {
		for r := int(starts.Host[i]); r < int(starts.Host[i+1]); r++ {
			a := d.scratchFor(s.Cols)
			weights.weighPatches(a, s.row(r))
			var square float64
			for p := range a {
				square += a[p] * dot(a, g.row(i*s.Cols+p))
			}
			root := max(math.Sqrt(max(square, 0)), MinPooledNorm)
			y.F64[r] = dot(a, s.row(r)) / root
			if !kept.IsNone() {
				copy(kept.row(r), a)
				kept.row(r)[s.Cols] = root
			}
		}
	}
}

// PooledCosineBackward implements Device.
func (d *Reference) PooledCosineBackward(ds, dg Grad, dy, y, kept, s, g Tensor, starts Ints, weights PatchWeights) {
	if !dg.IsNone() && !dg.Add {
		clear(dg.F64)
	}
	for i := range starts.Len() - 1 {
		for r := int(starts.Host[i]); r < int(starts.Host[i+1]); r++ {
			a, root := kept.row(r)[:s.Cols], kept.row(r)[s.Cols]
			slope := dy.F64[r] / root
			along := slope * y.F64[r] / root // −2 times the gradient of the square of the root
			if !ds.IsNone() {
				d.writeSimilarityGradient(ds, r, a, s.row(r), g, i, slope, along, weights)
			}
			if dg.IsNone() {
				continue
			}
			for p := range a {
				for q := range a {
					dg.row(i*s.Cols + p)[q] -= along / 2 * a[p] * a[q]
				}
			}
		}
	}
}

// writeSimilarityGradient writes row r of ds: the gradient of the similarities s of a text to the
// patches of image i.
func (d *Reference) writeSimilarityGradient(ds Grad, r int, a, s []float64, g Tensor, i int, slope, along float64, weights PatchWeights) {
	n := len(a)
	slopes := d.scratchFor(n) // of the weights
	var mean float64
	if weights == SoftmaxWeights {
		for p := range a {
			slopes[p] = slope*s[p] - along*dot(a, g.row(i*n+p))
			mean += a[p] * slopes[p]
		}
	} else {
		clear(slopes)
	}
	for p := range a {
		ds.store(r*n+p, a[p]*(slope+slopes[p]-mean))
	}
}
