package kernels

import "slices"

type hingeOps interface {
	// Hinge computes loss [1, 1] = weight·Σ_p max(0, gap_p + thresholds[kinds_p]) with gap_p = s[rows_p, negatives_p] −
	// s[rows_p, positives_p]: s [n, m], thresholds [1, kinds]; pairs p are ordered by row. gap [1, pairs] keeps the
	// gaps.
	Hinge(loss, gap, s, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64)
	// HingeBackward computes the gradient of s from dloss [1, 1].
	HingeBackward(ds Grad, dloss, gap, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64)
}

// Hinge returns the cross-modal rank loss (CE-CLIP eqs. 5 to 7): a negative text must be less similar to its image than
// the positive text, by the threshold of its kind. Pairs are ordered by row. The second result has, for each pair, the
// similarity of the negative minus the similarity of the positive; the next thresholds are computed from these.
func (t *Tape) Hinge(s *Var, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64) (*Var, Tensor) {
	n := rows.Len()
	checkShape(positives.Len() == n && negatives.Len() == n && kinds.Len() == n, "the pairs of a hinge are not whole")
	checkShape(slices.IsSorted(rows.Host) && rows.allInRange(s.Value.Rows), "the pairs of a hinge are not ordered by row")
	checkShape(positives.allInRange(s.Value.Cols) && negatives.allInRange(s.Value.Cols) && kinds.allInRange(thresholds.Len()), "a pair of a hinge is of no text or of no kind")
	loss := t.newResult(1, 1, s)
	gap := t.Arena.Tensor(1, n)
	t.Device.Hinge(loss.Value, gap, s.Value, thresholds, rows, positives, negatives, kinds, weight)
	t.addRecord(record{
		backward: hingeBackward, in: [4]*Var{s}, out: loss, saved: [2]Tensor{gap, thresholds},
		ints: [5]Ints{rows, positives, negatives, kinds}, factor: [3]float64{weight},
	})
	return loss, gap
}

func hingeBackward(t *Tape, r *record) {
	t.Device.HingeBackward(t.gradOf(r.in[0]), r.out.Grad, r.saved[0], r.saved[1], r.ints[0], r.ints[1], r.ints[2], r.ints[3], r.factor[0])
}

// Hinge implements Device.
func (*Reference) Hinge(loss, gap, s, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64) {
	var sum float64
	for p, i := range rows.Host {
		row := s.row(int(i))
		gap.F64[p] = row[negatives.Host[p]] - row[positives.Host[p]]
		sum += max(0, gap.F64[p]+thresholds.F64[kinds.Host[p]])
	}
	loss.F64[0] = weight * sum
}

// HingeBackward implements Device.
func (*Reference) HingeBackward(ds Grad, dloss, gap, thresholds Tensor, rows, positives, negatives, kinds Ints, weight float64) {
	if !ds.Add {
		clear(ds.F64)
	}
	for p, i := range rows.Host {
		if gap.F64[p]+thresholds.F64[kinds.Host[p]] > 0 {
			row := ds.row(int(i))
			row[negatives.Host[p]] += weight * dloss.F64[0]
			row[positives.Host[p]] -= weight * dloss.F64[0]
		}
	}
}
