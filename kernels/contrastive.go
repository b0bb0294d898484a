package kernels

import "math"

// The mask of Contrastive has one of these for each image and text.
const (
	MaskNegative = 0 // only in the denominators
	MaskPositive = 1 // a positive of the image, and in the denominators
	MaskIgnored  = 2 // describes the image but is not a positive: in no term
)

type contrastiveOps interface {
	// Contrastive is loss [1, 1] = rowWeight·Σ_i row(i) + columnWeight·Σ_{j<columns} column(j) of s
	// [n, m] and mask, n·m bytes by rows. row(i) is the log-sum-exp of the row's elements that are
	// not ignored, minus the mean of its positives; column(j) is the same for a column. Both are 0
	// without a positive. lse [1, n+columns] keeps the log-sum-exps, rows first; +Inf for rows and
	// columns without a positive, which have no gradient.
	Contrastive(loss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64)
	// ContrastiveBackward computes the gradient of s from dloss [1, 1].
	ContrastiveBackward(ds Grad, dloss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64)
}

// Contrastive returns the image-to-text loss over the rows of s [n, m] plus the text-to-image loss
// over its first columns, computed in one pass. It is InfoNCE with several positives and with
// ignored texts (MosaiCLIP eqs. 2 and 3, with means over positives); with a diagonal mask it is
// CLIP's loss. Rows are weighted by rowWeight, columns by columnWeight: ½/n and ½/m for the mean of
// two means.
func (t *Tape) Contrastive(s *Var, mask Bytes, columns int, rowWeight, columnWeight float64) *Var {
	checkShape(mask.Len() == s.Value.Len() && columns >= 0 && columns <= s.Value.Cols, "a mask does not fit the similarities")
	loss := t.newResult(1, 1, s)
	r := record{backward: contrastiveBackward, in: [4]*Var{s}, out: loss, bytes: mask, number: [4]int{columns}, factor: [3]float64{rowWeight, columnWeight}}
	r.saved[0] = t.Arena.Tensor(1, s.Value.Rows+columns)
	t.Device.Contrastive(loss.Value, r.saved[0], s.Value, mask, columns, rowWeight, columnWeight)
	return t.addRecord(r)
}

func contrastiveBackward(t *Tape, r *record) {
	s := r.in[0]
	t.Device.ContrastiveBackward(t.gradOf(s), r.out.Grad, r.saved[0], s.Value, r.bytes, r.number[0], r.factor[0], r.factor[1])
}

// Contrastive implements Device.
func (*Reference) Contrastive(loss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
	var sum float64
	line := func(n, first, step int, weight float64) float64 {
		most := math.Inf(-1)
		for k := range n {
			if mask.Host[first+k*step] != MaskIgnored {
				most = max(most, s.F64[first+k*step])
			}
		}
		var total, trues, positives float64
		for k := range n {
			v := s.F64[first+k*step]
			switch mask.Host[first+k*step] {
			case MaskIgnored:
				continue
			case MaskPositive:
				trues += v
				positives++
			}
			total += math.Exp(v - most)
		}
		if positives == 0 {
			return math.Inf(1)
		}
		l := most + math.Log(total)
		sum += weight * (l - trues/positives)
		return l
	}
	for i := range s.Rows {
		lse.F64[i] = line(s.Cols, i*s.Cols, 1, rowWeight)
	}
	for j := range columns {
		lse.F64[s.Rows+j] = line(s.Rows, j, s.Cols, columnWeight)
	}
	loss.F64[0] = sum
}

// ContrastiveBackward implements Device.
func (*Reference) ContrastiveBackward(ds Grad, dloss, lse, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
	if !ds.Add {
		clear(ds.F64)
	}
	line := func(n, first, step int, l, weight float64) {
		var positives float64
		for k := range n {
			if mask.Host[first+k*step] == MaskPositive {
				positives++
			}
		}
		for k := range n {
			at := first + k*step
			if mask.Host[at] == MaskIgnored {
				continue
			}
			d := math.Exp(s.F64[at] - l)
			if mask.Host[at] == MaskPositive {
				d -= 1 / positives
			}
			ds.F64[at] += dloss.F64[0] * weight * d
		}
	}
	for i := range s.Rows {
		line(s.Cols, i*s.Cols, 1, lse.F64[i], rowWeight)
	}
	for j := range columns {
		line(s.Rows, j, s.Cols, lse.F64[s.Rows+j], columnWeight)
	}
}
