package simd

import "math"

func dot(x, y []float32) float32 {
	var s [4]float32
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		s[0] += x[0] * y[0]
		s[1] += x[1] * y[1]
		s[2] += x[2] * y[2]
		s[3] += x[3] * y[3]
	}
	for i, v := range x {
		s[0] += v * y[i]
	}
	return s[0] + s[1] + (s[2] + s[3])
}

func tripleDot(x, y, z []float32) float32 {
	var s float32
	for i, v := range x {
		s += v * y[i] * z[i]
	}
	return s
}

func sum(x []float32) float32 {
	var s float32
	for _, v := range x {
		s += v
	}
	return s
}

func variance(x []float32, mean float32) float32 {
	var s float32
	for _, v := range x {
		s += (v - mean) * (v - mean)
	}
	return s
}

func maximum(x []float32) float32 {
	most := float32(math.Inf(-1))
	for _, v := range x {
		most = max(most, v)
	}
	return most
}

func add(y, x []float32) {
	for i, v := range x[:len(y)] {
		y[i] += v
	}
}

func addScaled(y, x []float32, a float32) {
	for i, v := range x[:len(y)] {
		y[i] += a * v
	}
}

func scale(y, x []float32, a float32) {
	for i, v := range x[:len(y)] {
		y[i] = a * v
	}
}

func subtract(y, x, z []float32) {
	for i := range y {
		y[i] = x[i] - z[i]
	}
}

func multiplySum(y, x []float32, a, b float32) {
	for i, v := range x[:len(y)] {
		y[i] = a * y[i] * (v + b)
	}
}

func normalize(y, x, gain, bias []float32, mean, inverse float32) {
	for i := range y {
		y[i] = (x[i]-mean)*inverse*gain[i] + bias[i]
	}
}

func normalizeSlope(d, dy, gain, x []float32, a, b, c, mean float32) {
	for i := range d {
		d[i] = a*(dy[i]*gain[i]-c) + b*(x[i]-mean)
	}
}

func normalizeGains(dgain, dbias, dy, x []float32, mean, inverse float32) {
	for i, v := range dy[:len(dgain)] {
		dgain[i] += v * (x[i] - mean) * inverse
		dbias[i] += v
	}
}

func adamw(p, g, m, v []float32, o *AdamW) {
	for i := range p {
		d := g[i] * o[0]
		m[i] = normalOr0(o[1]*m[i] + o[2]*d)
		v[i] = normalOr0(o[3]*v[i] + o[4]*d*d)
		p[i] = o[5]*p[i] - o[6]*m[i]/(float32(math.Sqrt(float64(o[7]*v[i])))+o[8])
	}
}

// normalOr0 returns x, or 0 if it is denormal.
func normalOr0(x float32) float32 {
	if math.Abs(float64(x)) < 0x1p-126 {
		return 0
	}
	return x
}
