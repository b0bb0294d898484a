package cpu

import "capgraph/kernels"

// sigmoidContrastive is a sum of independent losses, one per similarity. Its parts are spans of
// rows.
type sigmoidContrastive struct {
	rowParts
	s        kernels.Tensor
	mask     []byte
	bias     float64
	sums     []float64 // of each row
	ds       kernels.Grad
	slope    float64
	backward bool
}

// SigmoidContrastive implements kernels.Device.
func (d *Device) SigmoidContrastive(loss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	c := &d.sigmoidContrastive
	*c = sigmoidContrastive{rowParts: rowPartsOf(s.Rows, s.Cols), s: s, mask: mask.Host, bias: float64(bias.F32[0]), sums: c.sums}
	loss.F32[0] = float32(weight * c.sumRows(d))
}

// SigmoidContrastiveBackward implements kernels.Device.
func (d *Device) SigmoidContrastiveBackward(ds, dbias kernels.Grad, dloss, s, bias kernels.Tensor, mask kernels.Bytes, weight float64) {
	c := &d.sigmoidContrastive
	*c = sigmoidContrastive{
		rowParts: rowPartsOf(s.Rows, s.Cols), s: s, mask: mask.Host, bias: float64(bias.F32[0]), sums: c.sums,
		ds: ds, slope: weight * float64(dloss.F32[0]), backward: true,
	}
	if sum := c.sumRows(d); !dbias.IsNone() {
		storeScalar(dbias, sum)
	}
}

// sumRows runs all parts and returns the sum over all rows: of the losses or, backward, of the
// gradient.
func (c *sigmoidContrastive) sumRows(d *Device) (sum float64) {
	c.sums = resize(c.sums, c.s.Rows)
	d.pool.run(c.count(), c)
	for _, v := range c.sums {
		sum += v
	}
	return sum
}

// runPart implements task.
func (c *sigmoidContrastive) runPart(_ *worker, i int) {
	first, end := c.bounds(i)
	for r := first; r < end; r++ {
		var sum float64
		for j, v := range rowOf(c.s, r) {
			y, slope := kernels.SigmoidTerm(float64(v)+c.bias, c.mask[r*c.s.Cols+j])
			if !c.backward {
				sum += y
				continue
			}
			slope *= c.slope
			sum += slope
			switch {
			case c.ds.IsNone():
			case c.ds.Add:
				c.ds.F32[r*c.s.Cols+j] += float32(slope)
			default:
				c.ds.F32[r*c.s.Cols+j] = float32(slope)
			}
		}
		c.sums[r] = sum
	}
}
