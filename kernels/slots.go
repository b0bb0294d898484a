package kernels

import "math"

// slotFloor is added to each element of the softmax, so that a query without any attention does not
// cause a division by 0 (OC-CLIP fig. 9).
const slotFloor = 1e-8

type slotsOps interface {
	// Slots computes y [q, p]: the softmax of x [q, p] over the rows (queries) of each segment,
	// plus 1e-8, divided by its row's sum over the p patches. share [q, p], or none, keeps the
	// softmax.
	Slots(y, share, x Tensor, starts Ints)
	// SlotsBackward computes the gradient of x from dy [q, p].
	SlotsBackward(dx Grad, dy, y, share Tensor, starts Ints)
}

// Slots returns the attention of OC-CLIP's binding (§3.2, fig. 9): a softmax over the queries of a
// graph for each patch, then each query's row is scaled to sum to 1. x [q, p] has the queries of
// all graphs, starts the first query of each.
func (t *Tape) Slots(x *Var, starts Ints) *Var {
	checkShape(starts.covers(x.Value.Rows), "the graphs are not the queries")
	y := t.newResult(x.Value.Rows, x.Value.Cols, x)
	r := record{backward: slotsBackward, in: [4]*Var{x}, out: y, ints: [5]Ints{starts}}
	r.saved[0] = t.newSaved(y, x.Value.Rows, x.Value.Cols)
	t.Device.Slots(y.Value, r.saved[0], x.Value, starts)
	return t.addRecord(r)
}

func slotsBackward(t *Tape, r *record) {
	t.Device.SlotsBackward(t.gradOf(r.in[0]), r.out.Grad, r.out.Value, r.saved[0], r.ints[0])
}

// Slots implements Device.
func (*Reference) Slots(y, share, x Tensor, starts Ints) {
	for g := range starts.Len() - 1 {
		first, end := int(starts.Host[g]), int(starts.Host[g+1])
		for p := range x.Cols {
			most, sum := math.Inf(-1), 0.0
			for i := first; i < end; i++ {
				most = max(most, x.F64[i*x.Cols+p])
			}
			for i := first; i < end; i++ {
				sum += math.Exp(x.F64[i*x.Cols+p] - most)
			}
			for i := first; i < end; i++ {
				s := math.Exp(x.F64[i*x.Cols+p]-most) / sum
				y.F64[i*x.Cols+p] = s + slotFloor
				if !share.IsNone() {
					share.F64[i*x.Cols+p] = s
				}
			}
		}
	}
	for i := range y.Rows {
		var sum float64
		for _, v := range y.row(i) {
			sum += v
		}
		for p := range y.row(i) {
			y.row(i)[p] /= sum
		}
	}
}

// SlotsBackward implements Device.
func (d *Reference) SlotsBackward(dx Grad, dy, y, share Tensor, starts Ints) {
	for g := range starts.Len() - 1 {
		first, end := int(starts.Host[g]), int(starts.Host[g+1])
		room := d.scratchFor(2 * (end - first))
		along, inverse := room[:end-first], room[end-first:]
		clear(along)
		for i := first; i < end; i++ {
			var sum float64
			for p, s := range share.row(i) {
				sum += s + slotFloor
				along[i-first] += dy.row(i)[p] * y.row(i)[p]
			}
			inverse[i-first] = 1 / sum
		}
		for p := range y.Cols {
			var mean float64 // of the softmax's gradients, weighted by the softmax
			for i := first; i < end; i++ {
				mean += share.row(i)[p] * (dy.row(i)[p] - along[i-first]) * inverse[i-first]
			}
			for i := first; i < end; i++ {
				g := (dy.row(i)[p] - along[i-first]) * inverse[i-first]
				dx.store(i*y.Cols+p, share.row(i)[p]*(g-mean))
			}
		}
	}
}
