package checkpoint

import "math"

// resizeGrid resizes position embeddings [1+from·from, width] to [1+to·to, width]. The class
// token's is kept; those of patches are resized like an image, with the taps that by returns.
func resizeGrid(x []float64, from, to, width int, by func(from, to int) []tap) []float64 {
	taps := by(from, to)
	across := make([]float64, from*to*width) // [from, to, width]
	for row := range from {
		applyTaps(across[row*to*width:], x[(1+row*from)*width:], taps, width)
	}
	out := make([]float64, (1+to*to)*width)
	copy(out, x[:width])
	applyTaps(out[width:], across, taps, to*width)
	return out
}

// resizeLine resizes position embeddings [from, width] to [to, width] linearly, as open_clip's
// resize_text_pos_embed does.
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
	applyTaps(out, x, taps, width)
	return out
}

// tap has the weights of the consecutive inputs, from first on, whose weighted sum is one output.
type tap struct {
	first   int
	weights []float64
}

// applyTaps computes one row of out for each tap, from rows of x. Rows have width numbers.
func applyTaps(out, x []float64, taps []tap, width int) {
	for i, t := range taps {
		row := out[i*width : (i+1)*width]
		for k, w := range t.weights {
			for c, v := range x[(t.first+k)*width : (t.first+k+1)*width] {
				row[c] += w * v
			}
		}
	}
}

// antialiasedTaps returns the taps that resize a side of from pixels to to pixels by Keys' cubic
// convolution (1981, a = −½), as open_clip's resize_pos_embed does. If the side shrinks, the kernel
// is widened so that all pixels count. At the edges weights are normalised.
func antialiasedTaps(from, to int) []tap {
	scale := float64(from) / float64(to)
	stretch := max(scale, 1)
	taps := make([]tap, to)
	for i := range taps {
		centre := scale * (float64(i) + 0.5)
		first := max(int(centre-2*stretch+0.5), 0)
		end := min(int(centre+2*stretch+0.5), from)
		weights, sum := make([]float64, end-first), 0.0
		for k := range weights {
			weights[k] = cubicKernel((float64(first+k)-centre+0.5)/stretch, -0.5)
			sum += weights[k]
		}
		for k := range weights {
			weights[k] /= sum
		}
		taps[i] = tap{first, weights}
	}
	return taps
}

// bicubicTaps is antialiasedTaps with a = −¾ and a kernel of four pixels, without widening. Pixels
// beyond the edge have the value of the edge pixel. It is what PyTorch's interpolate does without
// antialias, and Hugging Face's Dinov2Model for position embeddings.
func bicubicTaps(from, to int) []tap {
	scale := float64(from) / float64(to)
	taps := make([]tap, to)
	for i := range taps {
		centre := scale*(float64(i)+0.5) - 0.5
		before := int(math.Floor(centre)) - 1
		first, last := min(max(before, 0), from-1), max(min(before+3, from-1), 0)
		weights := make([]float64, last-first+1)
		for at := before; at < before+4; at++ {
			weights[min(max(at, 0), from-1)-first] += cubicKernel(float64(at)-centre, -0.75)
		}
		taps[i] = tap{first, weights}
	}
	return taps
}

// cubicKernel returns the value at x of the kernel of Keys' cubic convolution.
func cubicKernel(x, a float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return ((a*x-5*a)*x+8*a)*x - 4*a
	}
	return 0
}
