package kernels

import "math"

type segmentOps interface {
	// SegmentLSE is loss [1, 1] = weight·Σ_g log Σ_{k in g} exp s_k, with anchored less s of the
	// first of each segment: s [1, n], segment g is starts[g] to starts[g+1]-1. An empty segment is
	// 0. lse [1, segments] keeps the logarithms.
	SegmentLSE(loss, lse, s Tensor, starts Ints, weight float64, anchored bool)
	// SegmentLSEBackward takes dloss [1, 1] back to s.
	SegmentLSEBackward(ds Grad, dloss, lse, s Tensor, starts Ints, weight float64, anchored bool)
}

// SegmentLSE is weight·Σ_g LSE of the segments of s [1, n]: CE-CLIP's intra-modal contrast, eq. 3
// as printed. With anchored, it is −log of the softmax of the first of each segment.
func (t *Tape) SegmentLSE(s *Var, starts Ints, weight float64, anchored bool) *Var {
	checkShape(s.Value.Rows == 1 && starts.covers(s.Value.Len()), "the segments are not the values")
	loss := t.newResult(1, 1, s)
	r := record{backward: segmentBackward, in: [4]*Var{s}, out: loss, ints: [5]Ints{starts}, factor: [2]float64{weight}}
	if anchored {
		r.number[0] = 1
	}
	r.saved[0] = t.Arena.Tensor(1, starts.Len()-1)
	t.Device.SegmentLSE(loss.Value, r.saved[0], s.Value, starts, weight, anchored)
	return t.addRecord(r)
}

func segmentBackward(t *Tape, r *record) {
	s := r.in[0]
	t.Device.SegmentLSEBackward(t.gradOf(s), r.out.Grad, r.saved[0], s.Value, r.ints[0], r.factor[0], r.number[0] == 1)
}

// SegmentLSE implements Device.
func (*Reference) SegmentLSE(loss, lse, s Tensor, starts Ints, weight float64, anchored bool) {
	var sum float64
	for g := range starts.Len() - 1 {
		segment := s.F64[starts.Host[g]:starts.Host[g+1]]
		if len(segment) == 0 {
			continue
		}
		most := segment[0]
		for _, v := range segment {
			most = max(most, v)
		}
		var total float64
		for _, v := range segment {
			total += math.Exp(v - most)
		}
		lse.F64[g] = most + math.Log(total)
		sum += lse.F64[g]
		if anchored {
			sum -= segment[0]
		}
	}
	loss.F64[0] = weight * sum
}

// SegmentLSEBackward implements Device.
func (*Reference) SegmentLSEBackward(ds Grad, dloss, lse, s Tensor, starts Ints, weight float64, anchored bool) {
	for g := range starts.Len() - 1 {
		first := starts.Host[g]
		for k := first; k < starts.Host[g+1]; k++ {
			d := math.Exp(s.F64[k] - lse.F64[g])
			if anchored && k == first {
				d--
			}
			ds.store(int(k), weight*dloss.F64[0]*d)
		}
	}
}
