package kernels

import "math"

// The rows of what PairContrastive keeps for its gradient.
const (
	PairLSE   = iota // log-sum-exp of the negatives: -Inf if there are none, +Inf if nothing is positive
	PairPull         // mean over the positives of σ(LSE − s), 0 if there are none
	PairShare        // 1 / the number of positives, 0 if there are none
	PairRows
)

type pairOps interface {
	// PairContrastive computes loss [1, 1] = rowWeight·Σ_i row(i) + columnWeight·Σ_{j<columns}
	// column(j) of s [n, m] and mask, n·m bytes by rows. row(i) is the mean over the row's
	// positives p of ln(1 + e^(LSE − s_p)), with LSE the log-sum-exp of its negatives; column(j) is
	// the same for a column. Both are 0 without a positive. kept [PairRows, n+columns] is what
	// PairContrastiveBackward needs, rows of s first.
	PairContrastive(loss, kept, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64)
	// PairContrastiveBackward computes the gradient of s from dloss [1, 1].
	PairContrastiveBackward(ds Grad, dloss, kept, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64)
}

// PairContrastive is [Tape.Contrastive] with a softmax for each positive, over it and the negatives
// of its row or column; other positives are left out. s is [n, m]. For row i with positives P(i)
// and negatives N(i) the term is
//
//	1/|P(i)| Σ_{p∈P(i)} softplus(log Σ_{k∈N(i)} e^{s_ik} − s_ip)
//
// which is the mean of −log(e^{s_ip} / (e^{s_ip} + Σ_k e^{s_ik})). Its least value is 0. With one
// positive a row, it is the same as Contrastive.
func (t *Tape) PairContrastive(s *Var, mask Bytes, columns int, rowWeight, columnWeight float64) *Var {
	checkShape(mask.Len() == s.Value.Len() && columns >= 0 && columns <= s.Value.Cols, "a mask does not fit the similarities")
	loss := t.newResult(1, 1, s)
	r := record{backward: pairContrastiveBackward, in: [4]*Var{s}, out: loss, bytes: mask, number: [4]int{columns}, factor: [3]float64{rowWeight, columnWeight}}
	r.saved[0] = t.Arena.Tensor(PairRows, s.Value.Rows+columns)
	t.Device.PairContrastive(loss.Value, r.saved[0], s.Value, mask, columns, rowWeight, columnWeight)
	return t.addRecord(r)
}

func pairContrastiveBackward(t *Tape, r *record) {
	s := r.in[0]
	t.Device.PairContrastiveBackward(t.gradOf(s), r.out.Grad, r.saved[0], s.Value, r.bytes, r.number[0], r.factor[0], r.factor[1])
}

// PairContrastive implements Device.
func (*Reference) PairContrastive(loss, kept, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
	var sum float64
	line := func(at, n, first, step int, weight float64) {
		most := math.Inf(-1)
		for k := range n {
			if mask.Host[first+k*step] == MaskNegative {
				most = max(most, s.F64[first+k*step])
			}
		}
		var total, positives float64
		for k := range n {
			switch mask.Host[first+k*step] {
			case MaskNegative:
				total += math.Exp(s.F64[first+k*step] - most)
			case MaskPositive:
				positives++
			}
		}
		lse, term, pull, share := math.Inf(1), 0.0, 0.0, 0.0
		if positives > 0 {
			lse, share = math.Inf(-1), 1/positives
			if total > 0 {
				lse = most + math.Log(total)
			}
			for k := range n {
				if mask.Host[first+k*step] == MaskPositive {
					y, slope := Softplus(lse - s.F64[first+k*step])
					term, pull = term+y*share, pull+slope*share
				}
			}
		}
		kept.F64[PairLSE*kept.Cols+at], kept.F64[PairPull*kept.Cols+at], kept.F64[PairShare*kept.Cols+at] = lse, pull, share
		sum += weight * term
	}
	for i := range s.Rows {
		line(i, s.Cols, i*s.Cols, 1, rowWeight)
	}
	for j := range columns {
		line(s.Rows+j, s.Rows, j, s.Cols, columnWeight)
	}
	loss.F64[0] = sum
}

// PairContrastiveBackward implements Device.
func (*Reference) PairContrastiveBackward(ds Grad, dloss, kept, s Tensor, mask Bytes, columns int, rowWeight, columnWeight float64) {
	slope := func(at, k int) float64 {
		lse, v := kept.F64[PairLSE*kept.Cols+at], s.F64[k]
		if mask.Host[k] == MaskNegative {
			return kept.F64[PairPull*kept.Cols+at] * math.Exp(v-lse)
		}
		_, d := Softplus(lse - v)
		return -kept.F64[PairShare*kept.Cols+at] * d
	}
	for i := range s.Rows {
		for j := range s.Cols {
			k, d := i*s.Cols+j, 0.0
			if mask.Host[k] != MaskIgnored {
				d = rowWeight * slope(i, k)
				if j < columns {
					d += columnWeight * slope(s.Rows+j, k)
				}
			}
			ds.store(k, dloss.F64[0]*d)
		}
	}
}
