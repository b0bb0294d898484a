package encoder

import "math"

// The functions below compute float32 in a fixed order, so that kernels give the same bits. A conversion after each
// product keeps the compiler from fusing it with the sum.

// expSeries are the coefficients of the power series of e**r, highest power first.
var expSeries = [...]float32{1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1}

// Constants of exp. ln 2 is in two parts, the first with few bits (Cody and Waite 1980).
const (
	leastExponent = -87
	log2e         = math.Log2E
	upperLn2      = 0.693359375
	lowerLn2      = math.Ln2 - upperLn2
)

// exp returns e**x for x ≤ 0, or e**-87 below -87.
func exp(x float32) float32 {
	if !(x > leastExponent) {
		x = leastExponent
	}
	k := roundToEven(float32(x * log2e))
	r := x - float32(k*upperLn2)
	r -= float32(k * lowerLn2)
	y := expSeries[0]
	for _, c := range expSeries[1:] {
		y = float32(y*r) + c
	}
	return math.Float32frombits(math.Float32bits(y) + uint32(int32(k))<<23)
}

func roundToEven(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// maxGELU is the absolute value above which Φ, the normal distribution, counts as 0 or 1.
const maxGELU = 4.2

// normalSeries are the coefficients of (Φ(t)-½)/t as a polynomial in t², highest power first, for t up to maxGELU. The
// error of Φ is below 2e-5.
var normalSeries = [...]float32{4.9239725782839386e-11, -4.795767360786895e-09, 2.0725126977277365e-07, -5.289632666674874e-06, 8.983669366927451e-05, -0.001086463912323, 0.009740958344982165, -0.06622211071559402, 0.39883460177286273}

// gelu returns x·Φ(x).
func gelu(x float32) float32 {
	t := x
	if !(t > -maxGELU) {
		t = -maxGELU
	}
	if !(t < maxGELU) {
		t = maxGELU
	}
	s := float32(t * t)
	p := normalSeries[0]
	for _, c := range normalSeries[1:] {
		p = float32(p*s) + c
	}
	return float32(x * (0.5 + float32(p*t)))
}

// lanes is the number of partial sums in which a row is added up.
const lanes = 16

// sumLanes returns the sum of s, added in the order of the kernels.
func sumLanes(s *[lanes]float32) float32 {
	for half := lanes / 2; half > 0; half /= 2 {
		for l := range half {
			s[l] += s[l+half]
		}
	}
	return s[0]
}

// epsilon is added to the variance of a row, which may be 0.
const epsilon = 1e-12

// portableNorm applies layer normalisation to x, Width numbers.
func portableNorm(x, gamma, beta []float32) {
	var s [lanes]float32
	for i := 0; i < Width; i += lanes {
		for l := range s {
			s[l] += x[i+l]
		}
	}
	mean := sumLanes(&s) / Width
	s = [lanes]float32{}
	for i := 0; i < Width; i += lanes {
		for l := range s {
			d := x[i+l] - mean
			s[l] += float32(d * d)
		}
	}
	r := 1 / float32(math.Sqrt(float64(sumLanes(&s)/Width+epsilon)))
	for i := range x[:Width] {
		x[i] = float32(float32((x[i]-mean)*r)*gamma[i]) + beta[i]
	}
}

// portableLargest returns the largest absolute value of x.
func portableLargest(x []float32) float32 {
	var m uint32
	for _, v := range x {
		m = max(m, math.Float32bits(v)&^(1<<31))
	}
	return math.Float32frombits(m)
}

// portableRound sets q to x·factor, rounded to integers.
func portableRound(q []int8, x []float32, factor float32) {
	for i, v := range x {
		q[i] = int8(int32(roundToEven(float32(v * factor))))
	}
}

// portableProducts sets sums, rows of columns numbers, to start plus the products of the rows of q and a block of
// weights.
func portableProducts(sums []int32, start []int32, q, weights []int8, rows, inputs int) {
	for r := range rows {
		out := sums[r*columns:][:columns]
		copy(out, start)
		row := q[r*inputs:][:inputs]
		for g := 0; g < inputs; g += 4 {
			a, b, c, d := int32(row[g]), int32(row[g+1]), int32(row[g+2]), int32(row[g+3])
			w := weights[g*columns:][:4*columns]
			for o := range out {
				v := w[4*o : 4*o+4]
				out[o] += a*int32(v[0]) + b*int32(v[1]) + c*int32(v[2]) + d*int32(v[3])
			}
		}
	}
}

// finish says what happens to the results of a matrix: they are stored, stored after GELU, or added.
type finish int

const (
	store finish = iota
	storeGELU
	addTo
)

// storeResult stores v in *y, or adds it, as how says.
func (how finish) storeResult(y *float32, v float32) {
	switch how {
	case store:
		*y = v
	case storeGELU:
		*y = gelu(v)
	case addTo:
		*y += v
	}
}

// portableFinish returns a function that converts rows of integer sums into results in rows of y: sum·step·scale +
// bias, with a step for each row. Rows of y are stride apart.
func portableFinish(how finish) finishFunc {
	return func(y []float32, stride int, sums []int32, steps, scales, biases []float32, rows int) {
		for r := range rows {
			out, sums := y[r*stride:][:columns], sums[r*columns:][:columns]
			for o, s := range sums {
				how.storeResult(&out[o], float32(float32(float32(s)*steps[r])*scales[o])+biases[o])
			}
		}
	}
}

// pattern is the number of partial sums of a query and a key: four for each head.
const pattern = 4 * heads

// portableScores sets the rows of scores, lanes numbers each, to the dot products of a query with n keys, one for each
// head. Rows of keys are stride apart.
func portableScores(scores, query, keys []float32, stride, n int) {
	for j := range n {
		k := keys[j*stride:][:Width]
		var p [pattern]float32
		for l := range p {
			p[l] = float32(query[l] * k[l])
		}
		for b := pattern; b < Width; b += pattern {
			for l := range p {
				p[l] += float32(query[b+l] * k[b+l])
			}
		}
		out := scores[j*lanes:][:lanes]
		for h := range lanes {
			if h >= heads {
				out[h] = 0
				continue
			}
			out[h] = (p[h] + p[heads+h]) + (p[2*heads+h] + p[3*heads+h])
		}
	}
}

// portableSoftmax sets shares to the softmax over the n rows of scores. A row of shares is pattern numbers: four copies
// for each head.
func portableSoftmax(shares, scores []float32, n int) {
	var top, sum [heads]float32
	copy(top[:], scores)
	for j := 1; j < n; j++ {
		for h := range top {
			top[h] = max(top[h], scores[j*lanes+h])
		}
	}
	for j := range n {
		for h := range sum {
			e := exp(scores[j*lanes+h] - top[h])
			scores[j*lanes+h] = e
			sum[h] += e
		}
	}
	for h := range sum {
		sum[h] = 1 / sum[h]
	}
	for j := range n {
		for h := range sum {
			p := float32(scores[j*lanes+h] * sum[h])
			for k := h; k < pattern; k += heads {
				shares[j*pattern+k] = p
			}
		}
	}
}

// portableContext sets out to the sum of n rows of values, weighted by shares. Rows of values are stride apart.
func portableContext(out, shares, values []float32, stride, n int) {
	for i := range out[:Width] {
		out[i] = float32(shares[i%pattern] * values[i])
	}
	for j := 1; j < n; j++ {
		s, v := shares[j*pattern:][:pattern], values[j*stride:][:Width]
		for b := 0; b < Width; b += pattern {
			for l, p := range s {
				out[b+l] += float32(p * v[b+l])
			}
		}
	}
}
