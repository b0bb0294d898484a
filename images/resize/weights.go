package resize

import "math"

const (
	precision = 22 // fractional bits of a weight
	support   = 2  // half the width of the filter, in pixels
)

// axis is a resampling along one axis from size to full pixels. Only the output pixels from first
// to first+count are computed.
type axis struct{ size, full, first, count int }

// weights has the weights of each output pixel of an axis: pixel i is the sum of width input pixels
// from begin[i] on, weighted by factors[i·width:]. Unused factors are 0.
type weights struct {
	axis    axis
	begin   []int32
	width   int
	factors []int32
	floats  []float64
}

// setAxis computes the weights of an axis unless w has them already.
func (w *weights) setAxis(a axis) {
	if a == w.axis {
		return
	}
	w.axis = a
	scale := float64(a.size) / float64(a.full)
	stretch := max(scale, 1)
	reach := support * stretch
	w.width = min(int(math.Ceil(reach))*2+1, a.size)
	w.begin, w.factors = w.begin[:0], w.factors[:0]
	for i := a.first; i < a.first+a.count; i++ {
		centre := float64((float64(i) + 0.5) * scale)
		// The conversions truncate towards zero, as in C.
		begin := max(int(centre-reach+0.5), 0)
		end := min(int(centre+reach+0.5), a.size)
		w.add(begin, end, centre, 1/stretch)
	}
}

// add appends the weights of an output pixel at centre, computed from the input pixels in [begin, end).
func (w *weights) add(begin, end int, centre, shrink float64) {
	w.floats = w.floats[:0]
	sum := 0.0
	for x := begin; x < end; x++ {
		f := cubicFilter(float64((float64(x) - centre + 0.5) * shrink))
		w.floats = append(w.floats, f)
		sum += f
	}
	from := min(begin, w.axis.size-w.width)
	w.begin = append(w.begin, int32(from))
	w.factors = append(w.factors, make([]int32, w.width)...)
	row := w.factors[len(w.factors)-w.width+begin-from:]
	for i, f := range w.floats {
		if sum != 0 {
			f /= sum
		}
		row[i] = int32(math.Copysign(0.5, f) + float64(f*(1<<precision)))
	}
}

// cubicFilter returns Keys' kernel (eq. 4) with a = −0.5 at x. The float64 conversions prevent
// fused multiply-adds, so that the weights are the same on every processor.
func cubicFilter(x float64) float64 {
	const a = -0.5
	x = math.Abs(x)
	switch {
	case x < 1:
		return float64(float64(float64(float64((a+2)*x)-(a+3))*x)*x) + 1
	case x < 2:
		return float64((float64((float64((x-5)*x)+8)*x) - 4) * a)
	}
	return 0
}
