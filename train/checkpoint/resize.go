package checkpoint

import "math"

// resizeGrid returns position embeddings [1+to·to, width] made of [1+from·from,
// width]: the class token's as it is, those of the patches resized as an image,
// bicubic and antialiased, as open_clip's resize_pos_embed does it.
func resizeGrid(x []float64, from, to, width int) []float64 {
	taps := cubic(from, to)
	across := make([]float64, from*to*width) // [from, to, width]
	for row := range from {
		apply(across[row*to*width:], x[(1+row*from)*width:], taps, width)
	}
	out := make([]float64, (1+to*to)*width)
	copy(out, x[:width])
	apply(out[width:], across, taps, to*width)
	return out
}

// resizeLine returns position embeddings [to, width] made of [from, width],
// linearly, as open_clip's resize_text_pos_embed does it.
func resizeLine(x []float64, from, to, width int) []float64 {
	taps := make([]tap, to)
	for i := range taps {
		at := max(0, (float64(i)+0.5)*float64(from)/float64(to)-0.5)
		first := min(int(at), from-1)
		share := at - float64(first)
		if first == from-1 {
			share = 0
		}
		taps[i] = tap{first, []float64{1 - share, share}[:min(2, from-first)]}
	}
	out := make([]float64, to*width)
	apply(out, x, taps, width)
	return out
}

// tap is the weights of consecutive inputs in one output.
type tap struct {
	first   int
	weights []float64
}

// apply computes an output row of width numbers for each tap from rows of x.
func apply(out, x []float64, taps []tap, width int) {
	for i, t := range taps {
		row := out[i*width : (i+1)*width]
		for k, w := range t.weights {
			for c, v := range x[(t.first+k)*width : (t.first+k+1)*width] {
				row[c] += w * v
			}
		}
	}
}

// cubic are the taps that resize from pixels to another number of them by
// Keys' cubic convolution (1981, a = −½), widened when shrinking so that nothing
// is left out, and normalised where they reach beyond the edge.
func cubic(from, to int) []tap {
	scale := float64(from) / float64(to)
	stretch := max(scale, 1)
	taps := make([]tap, to)
	for i := range taps {
		centre := scale * (float64(i) + 0.5)
		first := max(int(centre-2*stretch+0.5), 0)
		end := min(int(centre+2*stretch+0.5), from)
		weights, sum := make([]float64, end-first), 0.0
		for k := range weights {
			weights[k] = keys((float64(first+k) - centre + 0.5) / stretch)
			sum += weights[k]
		}
		for k := range weights {
			weights[k] /= sum
		}
		taps[i] = tap{first, weights}
	}
	return taps
}

// keys is the kernel of Keys' cubic convolution with a = −½.
func keys(x float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}
