package cuda

import "capgraph/kernels"

// The operations of the towers that need no matrix product.

// LayerNorm implements kernels.Device.
func (d *Device) LayerNorm(y, stats, x, gain, bias kernels.Tensor, eps float64) {
	d.launch("layernorm_forward", y.Address, y.Half, stats.Address, x.Address, gain.Address, bias.Address, eps, none, x.Rows, x.Cols)
}

// LayerNormBackward implements kernels.Device.
func (d *Device) LayerNormBackward(dx, dgain, dbias kernels.Grad, dy, x, gain, stats kernels.Tensor) {
	d.resetScratch()
	sums, gains := none, !dgain.IsNone() || !dbias.IsNone()
	if gains {
		sums = d.scratchFloats(2 * partCount(x.Rows, normRowsPerPart) * x.Cols)
	}
	d.launch("layernorm_backward", dx.Address, sums, dy.Address, x.Address, gain.Address, stats.Address, none, x.Rows, x.Cols, dx.Add)
	if gains {
		d.launch("column_sum", dgain.Address, dbias.Address, sums, none, x.Rows, normRowsPerPart, x.Cols, 2, dgain.Add, dbias.Add)
	}
}

// Gather implements kernels.Device.
func (d *Device) Gather(y, x kernels.Tensor, rows kernels.Ints) {
	d.launch("gather", y.Address, x.Address, rows.Address, none, y.Rows, y.Cols)
}

// GatherBackward implements kernels.Device.
func (d *Device) GatherBackward(dx kernels.Grad, dy kernels.Tensor, by kernels.Groups) {
	d.addGroups(dx, dy, by)
}

// addGroups adds to row Values[g] of to the rows of from in group g.
func (d *Device) addGroups(to kernels.Grad, from kernels.Tensor, by kernels.Groups) {
	if !to.Add {
		d.Zero(to.Tensor)
	}
	d.launch("groups_add", to.Address, from.Address, by.Values.Address, by.Bounds.Address, by.Order.Address, none, by.Values.Len(), from.Cols)
}

// Tokens implements kernels.Device.
func (d *Device) Tokens(y, table, positions kernels.Tensor, ids, starts kernels.Ints) {
	d.launch("tokens_forward", y.Address, table.Address, positions.Address, ids.Address, starts.Address, none, starts.Len()-1, y.Rows, y.Cols)
}

// TokensBackward implements kernels.Device.
func (d *Device) TokensBackward(dtable, dpositions kernels.Grad, dy kernels.Tensor, starts kernels.Ints, by kernels.Groups) {
	if !dtable.IsNone() {
		d.addGroups(dtable, dy, by)
	}
	if !dpositions.IsNone() {
		d.launch("tokens_positions", dpositions.Address, dy.Address, starts.Address, none, starts.Len()-1, dpositions.Rows, dy.Cols, dpositions.Add)
	}
}

// Vision implements kernels.Device.
func (d *Device) Vision(y, patches, class, positions kernels.Tensor) {
	d.launch("vision_forward", y.Address, patches.Address, class.Address, positions.Address, none, y.Rows/positions.Rows, positions.Rows, y.Cols)
}

// VisionBackward implements kernels.Device.
func (d *Device) VisionBackward(dpatches, dclass, dpositions kernels.Grad, dy kernels.Tensor, length int) {
	images := dy.Rows / length
	if !dpatches.IsNone() {
		d.launch("vision_patches", dpatches.Address, dy.Address, none, images, length, dy.Cols, dpatches.Add)
	}
	if !dclass.IsNone() || !dpositions.IsNone() {
		d.launch("vision_positions", dclass.Address, dpositions.Address, dy.Address, none, images, length, dy.Cols, dclass.Add, dpositions.Add)
	}
}

// Patchify implements kernels.Device.
func (d *Device) Patchify(y kernels.Tensor, images kernels.Bytes, side, patch int, mean, std [3]float64) {
	d.launch("patchify", y.Address, images.Address, mean[0], mean[1], mean[2], std[0], std[1], std[2], none, images.Len()/(3*side*side), side, patch)
}
