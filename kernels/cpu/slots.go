package cpu

import "capgraph/kernels"

// slotFloor is added to each element of the softmax, so that no row has the sum 0.
const slotFloor = 1e-8

// slots is the softmax over the queries of each graph, with one part per graph.
type slots struct {
	d           *Device
	y, share, x kernels.Tensor
	starts      []int32
	dx          kernels.Grad
	dy          kernels.Tensor
}

// Slots implements kernels.Device.
func (d *Device) Slots(y, share, x kernels.Tensor, starts kernels.Ints) {
	d.slots = slots{d: d, y: y, share: share, x: x, starts: starts.Host}
	d.pool.run(starts.Len()-1, &d.slots)
}

// SlotsBackward implements kernels.Device.
func (d *Device) SlotsBackward(dx kernels.Grad, dy, y, share kernels.Tensor, starts kernels.Ints) {
	d.slots = slots{d: d, y: y, share: share, starts: starts.Host, dx: dx, dy: dy}
	d.pool.run(starts.Len()-1, &d.slots)
}

// runPart implements task.
func (s *slots) runPart(w *worker, i int) {
	first, end := int(s.starts[i]), int(s.starts[i+1])
	switch {
	case first == end:
	case s.dy.IsNone():
		s.forward(w, first, end)
	default:
		s.backward(w, first, end)
	}
}

func (s *slots) forward(w *worker, first, end int) {
	set, p := &s.d.set, s.x.Cols
	memory := w.floats(2 * p)
	most, sum := memory[:p], memory[p:]
	copy(most, rowOf(s.x, first))
	for i := first + 1; i < end; i++ {
		for k, v := range rowOf(s.x, i) {
			most[k] = max(most[k], v)
		}
	}
	clear(sum)
	for i := first; i < end; i++ {
		y := rowOf(s.y, i)
		set.Subtract(y, rowOf(s.x, i), most)
		set.Exp(y, y, 1, 0)
		set.Add(sum, y)
	}
	for i := first; i < end; i++ {
		y := rowOf(s.y, i)
		for k := range y {
			y[k] /= sum[k]
		}
		if !s.share.IsNone() {
			copy(rowOf(s.share, i), y)
		}
		var total float32
		for k := range y {
			y[k] += slotFloor
			total += y[k]
		}
		set.Scale(y, y, 1/total)
	}
}

func (s *slots) backward(w *worker, first, end int) {
	set, p, n := &s.d.set, s.y.Cols, end-first
	memory := w.floats(p + 2*n)
	mean, along, inverse := memory[:p], memory[p:p+n], memory[p+n:] // mean: of the softmax's gradients, weighted by the softmax
	clear(mean)
	for i := first; i < end; i++ {
		share, dy := rowOf(s.share, i), rowOf(s.dy, i)
		a := set.Dot(dy, rowOf(s.y, i))
		f := 1 / (set.Sum(share) + slotFloor*float32(p))
		along[i-first], inverse[i-first] = a, f
		for k, v := range share {
			mean[k] += v * (dy[k] - a) * f
		}
	}
	for i := first; i < end; i++ {
		share, dy, to := rowOf(s.share, i), rowOf(s.dy, i), rowOf(s.dx.Tensor, i)
		a, f := along[i-first], inverse[i-first]
		for k, v := range share {
			d := v * ((dy[k]-a)*f - mean[k])
			if s.dx.Add {
				d += to[k]
			}
			to[k] = d
		}
	}
}
