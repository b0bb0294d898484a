package kernels_test

import (
	"slices"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
)

// Images that are unfolded some at a time have the results that each has by itself, and
// gradients of kernels that are the sum of theirs.
func TestConvolutionOfManyImages(t *testing.T) {
	const side, in, out, n = 56, 32, 2, 5 // of which one image is unfolded at a time
	random := portable.SplitMix64(1)
	numbers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(random.IntN(17)) - 8 // sums are exact
		}
		return x
	}
	window := kernels.Window{Side: side, Kernel: 3, Stride: 1, Padding: 1}
	pixels, weights, seeds := numbers(n*side*side*in), numbers(out*9*in), numbers(n*side*side*out)
	d := cpu.New()
	defer d.Close()
	run := func(first, end int) (y, dx, dw []float64) {
		arena := kernels.NewArena(d, 0)
		defer arena.Free()
		tape := kernels.NewTape(d, arena)
		put := func(rows, cols int, x []float64) kernels.Tensor {
			m := arena.Tensor(rows, cols)
			d.Write(m, x)
			return m
		}
		each := side * side
		x := tape.Input(put((end-first)*each, in, pixels[first*each*in:end*each*in]))
		w := tape.Input(put(out, 9*in, weights))
		v := tape.Convolution(x, w, window)
		tape.Seed(v, put((end-first)*each, out, seeds[first*each*out:end*each*out]))
		tape.Backward()
		read := func(m kernels.Tensor) []float64 {
			x := make([]float64, m.Len())
			d.Read(x, m)
			return x
		}
		return read(v.Value), read(x.Grad), read(w.Grad)
	}
	y, dx, dw := run(0, n)
	var ys, dxs []float64
	sum := make([]float64, len(dw))
	for i := range n {
		y, dx, dw := run(i, i+1)
		ys, dxs = append(ys, y...), append(dxs, dx...)
		for k, v := range dw {
			sum[k] += v
		}
	}
	if !slices.Equal(y, ys) || !slices.Equal(dx, dxs) || !slices.Equal(dw, sum) {
		t.Error("five images have other results together than one by one")
	}
}
