package cutest

import (
	"math"

	"capgraph/kernels"
)

// The numbers of rows of a part in columns.cuh, and in layernorm.cu.
const (
	partRows = 128
	normRows = 16
)

func (d *device) Linear(y, pre, x, w, b, residual kernels.Tensor, act kernels.Activation) {
	multiply(y.F32, factor(x), factor(w).t(), false)
	d.run("linear_forward", rowsOf(y), []uint16(nil), rowsOf(pre), rowsOf(y), b, rowsOf(residual), int(act), rows(y.Rows), y.Cols)
}

func (d *device) LinearBackward(dx, dw, db kernels.Grad, dy, pre, x, w kernels.Tensor, act kernels.Activation) {
	ds, to := dy, []any{uint64(0)}
	if act != kernels.NoActivation {
		ds, to = pre, []any{rowsOf(pre)}
	}
	sums := d.partsOf(ds, partRows, 1)
	d.run("linear_backward", append(to, []uint16(nil), sums, rowsOf(pre), rowsOf(dy), int(act), rows(dy.Rows), dy.Cols)...)
	if !dx.IsNone() {
		multiply(dx.F32, factor(ds), factor(w), dx.Add)
	}
	if !dw.IsNone() {
		multiply(dw.F32, factor(ds).t(), factor(x), dw.Add)
	}
	if !db.IsNone() {
		d.run("column_sum", db, uint64(0), sums, rows(ds.Rows), partRows, ds.Cols, 1, db.Add, false)
	}
}

// partsOf is room for the parts of the columns of x, of per rows each, times n.
func (d *device) partsOf(x kernels.Tensor, per, n int) []float32 {
	return nonsense(n*((x.Rows+d.more()+per-1)/per)*x.Cols + 1)
}

// nonsense is memory of n elements that nobody has written.
func nonsense(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(math.NaN())
	}
	return out
}

func (d *device) LayerNorm(y, stats, x, gain, bias kernels.Tensor, eps float64) {
	d.run("layernorm_forward", rowsOf(y), []uint16(nil), whole{rowsOf(stats)}, rowsOf(x), gain, bias, eps, rows(x.Rows), x.Cols)
}

func (d *device) LayerNormBackward(dx, dgain, dbias kernels.Grad, dy, x, gain, stats kernels.Tensor) {
	sums := d.partsOf(x, normRows, 2)
	d.run("layernorm_backward", gradOf(dx), sums, rowsOf(dy), rowsOf(x), gain, rowsOf(stats), rows(x.Rows), x.Cols, dx.Add)
	d.run("column_sum", dgain, dbias, sums, rows(x.Rows), normRows, x.Cols, 2, dgain.Add, dbias.Add)
}

func (d *device) LayerScale(y, x, gain, residual kernels.Tensor) {
	d.run("layerscale_forward", rowsOf(y), rowsOf(x), gain, rowsOf(residual), rows(x.Rows), x.Cols)
}

func (d *device) LayerScaleBackward(dx, dgain kernels.Grad, dy, x, gain kernels.Tensor) {
	sums := d.partsOf(x, partRows, 1)
	d.run("layerscale_backward", gradOf(dx), sums, rowsOf(dy), rowsOf(x), gain, rows(x.Rows), x.Cols, dx.Add)
	if !dgain.IsNone() {
		d.run("column_sum", dgain, uint64(0), sums, rows(x.Rows), partRows, x.Cols, 1, dgain.Add, false)
	}
}

func (d *device) Gather(y, x kernels.Tensor, from kernels.Ints) {
	d.run("gather", rowsOf(y), x, entries{from}, rows(y.Rows), y.Cols)
}

func (d *device) GatherBackward(dx kernels.Grad, dy kernels.Tensor, by kernels.Groups) {
	begin(dx)
	d.groupsAdd(dx.Tensor, dy, by)
}

func (d *device) groupsAdd(to, from kernels.Tensor, by kernels.Groups) {
	d.run("groups_add", to, from, entries{by.Values}, parts{by.Bounds}, by.Order, rows(by.Values.Len()), to.Cols)
}

func (d *device) Tokens(y, table, positions kernels.Tensor, ids, starts kernels.Ints) {
	d.run("tokens_forward", rowsOf(y), table, positions, entries{ids}, parts{starts}, rows(starts.Len()-1), bucket(y.Rows), y.Cols)
}

func (d *device) TokensBackward(dtable, dpositions kernels.Grad, dy kernels.Tensor, starts kernels.Ints, by kernels.Groups) {
	if !dtable.IsNone() {
		d.GatherBackward(dtable, dy, by)
	}
	if !dpositions.IsNone() {
		d.run("tokens_positions", dpositions, dy, parts{starts}, rows(starts.Len()-1), dpositions.Rows, dy.Cols, dpositions.Add)
	}
}

// imagesOf is a matrix with per rows an image.
func imagesOf(t kernels.Tensor, per int) packed { return packed{Tensor: t, per: per} }

func (d *device) Vision(y, patches, class, positions kernels.Tensor) {
	length := positions.Rows
	d.run("vision_forward", imagesOf(y, length), imagesOf(patches, length-1), class, positions, rows(y.Rows/length), length, y.Cols)
}

func (d *device) VisionBackward(dpatches, dclass, dpositions kernels.Grad, dy kernels.Tensor, length int) {
	from, n := imagesOf(dy, length), rows(dy.Rows/length)
	if !dpatches.IsNone() {
		d.run("vision_patches", packed{dpatches.Tensor, length - 1, dpatches.Add}, from, n, length, dy.Cols, dpatches.Add)
	}
	if !dclass.IsNone() || !dpositions.IsNone() {
		d.run("vision_positions", dclass, dpositions, from, n, length, dy.Cols, dclass.Add, dpositions.Add)
	}
}

func (d *device) Patchify(y kernels.Tensor, images kernels.Bytes, side, patch int, mean, std [3]float64) {
	each := (side / patch) * (side / patch)
	d.run("patchify", imagesOf(y, each), images, mean[0], mean[1], mean[2], std[0], std[1], std[2], rows(y.Rows/each), side, patch)
}
