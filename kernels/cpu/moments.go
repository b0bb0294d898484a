package cpu

import "capgraph/kernels"

// momentBlock is the number of rows whose mean is computed first and then merged: few enough for a
// cache.
const momentBlock = 64

// moments computes means and variances of columns. Each part computes a mean and the sum of squared
// deviations from it; the parts are combined as in Chan, Golub and LeVeque (1983, eq. 1.5).
type moments struct {
	rowParts
	lines
	d     *Device
	x     kernels.Tensor
	sums  columnSums
	whole []float64 // the means and the squared deviations of all columns
}

// Moments implements kernels.Device.
func (d *Device) Moments(mean, variance, x kernels.Tensor) {
	m := &d.moments
	*m = moments{rowParts: rowPartsOf(x.Rows, x.Cols), lines: linesOf(x.Cols), d: d, x: x, sums: m.sums, whole: resize(m.whole, 2*x.Cols)}
	m.sums.reset(m.count(), 2*x.Cols)
	d.pool.run(m.count(), m)
	clear(m.whole)
	means, squares := m.whole[:x.Cols], m.whole[x.Cols:]
	for i := range m.count() {
		first, end := m.bounds(i)
		n := float64(end - first)
		share := n / float64(end)
		for k, v := range m.sums.part(i)[:x.Cols] {
			off := float64(v) - means[k]
			means[k] += off * share
			squares[k] += float64(m.sums.part(i)[x.Cols+k]) + off*off*share*float64(first)
		}
	}
	for k := range means {
		mean.F32[k] = float32(means[k])
		variance.F32[k] = float32(squares[k] / float64(max(x.Rows, 1)))
	}
}

// runPart implements task.
func (m *moments) runPart(w *worker, i int) {
	first, end := m.bounds(i)
	long := m.length()
	scratch := w.floats(2 * long)
	mean, sums := scratch[:long], scratch[long:]
	means, squares := m.sums.part(i)[:m.cols], m.sums.part(i)[m.cols:]
	for from := first; from < end; from += momentBlock {
		to := min(from+momentBlock, end)
		numbers := m.x.F32[from*m.cols : to*m.cols]
		clear(sums)
		for at := 0; at < len(numbers); at += long {
			line := numbers[at:min(at+long, len(numbers))]
			m.d.set.Add(sums[:len(line)], line)
		}
		m.sumRows(m.d.set.Add, sums)
		m.d.set.Scale(mean[:m.cols], sums[:m.cols], 1/float32(to-from))
		m.repeatRow(mean, mean)
		clear(sums)
		for at := 0; at < len(numbers); at += long {
			line := numbers[at:min(at+long, len(numbers))]
			m.d.set.AddSquares(sums[:len(line)], line, mean)
		}
		m.sumRows(m.d.set.Add, sums)
		before := float32(from - first)
		share := float32(to-from) / float32(to-first)
		for k, v := range mean[:m.cols] {
			off := v - means[k]
			means[k] += off * share
			squares[k] += sums[k] + off*off*share*before
		}
	}
}

// UpdateAverages implements kernels.Device.
func (d *Device) UpdateAverages(mean, variance, batchMean, batchVariance kernels.Tensor, n int, momentum float64) {
	unbiased := float64(n) / float64(max(n-1, 1))
	for k, v := range batchMean.F32 {
		mean.F32[k] += float32(momentum * (float64(v) - float64(mean.F32[k])))
		variance.F32[k] += float32(momentum * (float64(batchVariance.F32[k])*unbiased - float64(variance.F32[k])))
	}
}
