package cpu

import (
	"math"
	"slices"

	"capgraph/kernels"
)

// pooledCosine compares texts with the patches of images, with one part per image. It is the
// backward half if dy is set.
type pooledCosine struct {
	d             *Device
	y, kept, s, g kernels.Tensor
	starts        []int32
	weights       kernels.PatchWeights
	ds, dg        kernels.Grad
	dy            kernels.Tensor
}

// PooledCosine implements kernels.Device.
func (d *Device) PooledCosine(y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	d.pooledCosine = pooledCosine{d: d, y: y, kept: kept, s: s, g: g, starts: starts.Host, weights: weights}
	d.pool.run(starts.Len()-1, &d.pooledCosine)
}

// PooledCosineBackward implements kernels.Device.
func (d *Device) PooledCosineBackward(ds, dg kernels.Grad, dy, y, kept, s, g kernels.Tensor, starts kernels.Ints, weights kernels.PatchWeights) {
	d.pooledCosine = pooledCosine{d: d, y: y, kept: kept, s: s, g: g, starts: starts.Host, weights: weights, ds: ds, dg: dg, dy: dy}
	d.pool.run(starts.Len()-1, &d.pooledCosine)
}

// runPart implements task.
func (c *pooledCosine) runPart(w *worker, i int) {
	backward, dg := !c.dy.IsNone(), matrix{}
	if backward && !c.dg.IsNone() {
		dg = rowsOf(c.dg.Tensor, i*c.s.Cols, c.s.Cols)
		if !c.dg.Add {
			clear(dg.data)
		}
	}
	g := rowsOf(c.g, i*c.s.Cols, c.s.Cols)
	for r := int(c.starts[i]); r < int(c.starts[i+1]); r++ {
		if backward {
			c.computeGradients(w, r, g, dg)
		} else {
			c.compareText(w, r, g)
		}
	}
}

// compareText computes y[r], the cosine of text r with the weighted patches of its image. g has the
// inner products of these patches.
func (c *pooledCosine) compareText(w *worker, r int, g matrix) {
	set, s, n := &c.d.set, rowOf(c.s, r), c.s.Cols
	a := w.floats(n)
	if !c.kept.IsNone() {
		a = rowOf(c.kept, r)[:n]
	}
	c.weighPatches(a, s)
	var square float32
	for p, v := range a {
		square += v * set.Dot(a, g.data[p*n:][:n])
	}
	root := max(float32(math.Sqrt(float64(max(square, 0)))), kernels.MinPooledNorm)
	c.y.F32[r] = set.Dot(a, s) / root
	if !c.kept.IsNone() {
		rowOf(c.kept, r)[n] = root
	}
}

// weighPatches writes the weights of the similarities s to a.
func (c *pooledCosine) weighPatches(a, s []float32) {
	set := &c.d.set
	if c.weights == kernels.SoftmaxWeights {
		set.Scale(a, a, 1/set.Exp(a, s, 1, -set.Max(s)))
		return
	}
	var sum float32
	least := slices.Min(s)
	for p, v := range s {
		a[p] = v - least
		sum += a[p]
	}
	if sum == 0 { // all are equal
		for p := range a {
			a[p] = 1
		}
		sum = float32(len(a))
	}
	set.Scale(a, a, 1/sum)
}

// computeGradients computes row r of ds, and adds text r's part to dg.
func (c *pooledCosine) computeGradients(w *worker, r int, g, dg matrix) {
	set, s, n := &c.d.set, rowOf(c.s, r), c.s.Cols
	a, root := rowOf(c.kept, r)[:n], rowOf(c.kept, r)[n]
	slope := c.dy.F32[r] / root
	along := slope * c.y.F32[r] / root
	if dg.data != nil {
		for p, v := range a {
			set.AddScaled(dg.data[p*n:][:n], a, -along/2*v)
		}
	}
	if c.ds.IsNone() {
		return
	}
	slopes := w.floats(n)
	var mean float32
	if c.weights == kernels.SoftmaxWeights {
		for p := range slopes {
			slopes[p] = slope*s[p] - along*set.Dot(a, g.data[p*n:][:n])
		}
		mean = set.Dot(a, slopes)
	} else {
		clear(slopes)
	}
	to := rowOf(c.ds.Tensor, r)
	for p, v := range slopes {
		v = a[p] * (slope + v - mean)
		if c.ds.Add {
			v += to[p]
		}
		to[p] = v
	}
}
