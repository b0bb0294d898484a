package simd

func addSquares(y, x, mean []float32) {
	for i, v := range x[:len(y)] {
		y[i] += (v - mean[i]) * (v - mean[i])
	}
}

func normalizeColumns(y, x, mean, scale, bias []float32) {
	for i := range y {
		y[i] = (x[i]-mean[i])*scale[i] + bias[i]
	}
}

func columnGains(along, sum, dy, x, mean []float32) {
	for i, v := range dy[:len(along)] {
		along[i] += v * (x[i] - mean[i])
		sum[i] += v
	}
}

func columnSlope(d, dy, x, mean, along, sum, scale []float32) {
	for i := range d {
		d[i] = scale[i] * (dy[i] - sum[i] - (x[i]-mean[i])*along[i])
	}
}

func rectify(y []float32) {
	for i, v := range y {
		if v <= 0 {
			y[i] = 0
		}
	}
}

func rectifySlope(d, y []float32) {
	for i, v := range y[:len(d)] {
		if v == 0 {
			d[i] = 0
		}
	}
}
