package kernels

import "math"

type segmentOps interface {
	// SegmentLSE computes lse_g = log Σ_{k in g} exp s_k of s [1, n] for each segment g, which is
	// starts[g] to starts[g+1]-1. lse [1, segments] is 0 for an empty segment.
	SegmentLSE(lse, s Tensor, starts Ints)
	// SegmentLSEBackward computes the gradient of s from dlse [1, segments].
	SegmentLSEBackward(ds Grad, dlse, lse, s Tensor, starts Ints)
}

// SegmentLSE returns the log-sum-exp of each segment of s [1, n], 0 for an empty one: [1,
// segments].
func (t *Tape) SegmentLSE(s *Var, starts Ints) *Var {
	checkShape(s.Value.Rows == 1 && starts.covers(s.Value.Len()), "the segments are not the values")
	lse := t.newResult(1, starts.Len()-1, s)
	t.Device.SegmentLSE(lse.Value, s.Value, starts)
	return t.addRecord(record{backward: segmentLSEBackward, in: [4]*Var{s}, out: lse, ints: [5]Ints{starts}})
}

func segmentLSEBackward(t *Tape, r *record) {
	s := r.in[0]
	t.Device.SegmentLSEBackward(t.gradOf(s), r.out.Grad, r.out.Value, s.Value, r.ints[0])
}

// SegmentLSE implements Device.
func (*Reference) SegmentLSE(lse, s Tensor, starts Ints) {
	for g := range starts.Len() - 1 {
		lse.F64[g] = logSumExp(s.F64[starts.Host[g]:starts.Host[g+1]])
	}
}

// logSumExp returns log Σ exp s, or 0 if s is empty.
func logSumExp(s []float64) float64 {
	if len(s) == 0 {
		return 0
	}
	most := s[0]
	for _, v := range s {
		most = max(most, v)
	}
	var total float64
	for _, v := range s {
		total += math.Exp(v - most)
	}
	return most + math.Log(total)
}

// SegmentLSEBackward implements Device.
func (*Reference) SegmentLSEBackward(ds Grad, dlse, lse, s Tensor, starts Ints) {
	for g := range starts.Len() - 1 {
		for k := starts.Host[g]; k < starts.Host[g+1]; k++ {
			ds.store(int(k), dlse.F64[g]*math.Exp(s.F64[k]-lse.F64[g]))
		}
	}
}
