package kernels

type patchifyOps interface {
	// Patchify cuts images into patches. images holds n images of side·side pixels of 3 bytes, red,
	// green and blue; y [n·(side/patch)², 3·patch²] holds a patch in each row. Patches of an image
	// are in row order, values by channel, then row, then column, each (v/255 − mean[c]) / std[c].
	Patchify(y Tensor, images Bytes, side, patch int, mean, std [3]float64)
}

// Patchify returns the input of a vision tower: the patches of n = images/(3·side²) images,
// normalised by channel, [n·(side/patch)², 3·patch²]. Its product with the weights of CLIP's first
// convolution, in their order, is that convolution.
func (t *Tape) Patchify(images Bytes, side, patch int, mean, std [3]float64) *Var {
	checkShape(side > 0 && patch > 0, "an image or a patch has no side")
	n := images.Len() / (3 * side * side)
	checkShape(images.Len() == n*3*side*side && side%patch == 0, "the pixels are no whole images, or patches no whole sides")
	grid := side / patch
	y := t.Constant(t.Arena.Tensor(n*grid*grid, 3*patch*patch))
	t.Device.Patchify(y.Value, images, side, patch, mean, std)
	return y
}

// Patchify implements Device.
func (*Reference) Patchify(y Tensor, images Bytes, side, patch int, mean, std [3]float64) {
	grid := side / patch
	for i := range y.Rows {
		image, py, px := i/(grid*grid), i/grid%grid, i%grid
		for c := range 3 {
			for dy := range patch {
				for dx := range patch {
					at := ((image*side+py*patch+dy)*side + px*patch + dx) * 3
					y.F64[i*y.Cols+(c*patch+dy)*patch+dx] = (float64(images.Host[at+c])/255 - mean[c]) / std[c]
				}
			}
		}
	}
}
