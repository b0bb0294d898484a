package cpu

import "capgraph/kernels"

// patchify cuts images into patches. A part is some of the patches.
type patchify struct {
	rowParts
	y           kernels.Tensor
	pixels      []byte
	side, patch int
	values      [3][256]float32 // the normalised value of each byte, by channel
}

// Patchify implements kernels.Device.
func (d *Device) Patchify(y kernels.Tensor, images kernels.Bytes, side, patch int, mean, std [3]float64) {
	p := &d.patchify
	p.rowParts, p.y, p.pixels, p.side, p.patch = rowPartsOf(y.Rows, y.Cols), y, images.Host, side, patch
	for c := range p.values {
		for b := range p.values[c] {
			p.values[c][b] = float32((float64(b)/255 - mean[c]) / std[c])
		}
	}
	d.pool.run(p.count(), p)
}

// runPart implements task.
func (p *patchify) runPart(_ *worker, i int) {
	grid, size := p.side/p.patch, p.patch*p.patch
	first, end := p.bounds(i)
	for i := first; i < end; i++ {
		to := rowOf(p.y, i)
		image, down, right := i/(grid*grid), i/grid%grid, i%grid
		for y := range p.patch {
			from := ((image*p.side+down*p.patch+y)*p.side + right*p.patch) * 3
			line := p.pixels[from : from+3*p.patch]
			reds, greens, blues := to[y*p.patch:][:p.patch], to[size+y*p.patch:][:p.patch], to[2*size+y*p.patch:][:p.patch]
			for x := range reds {
				reds[x] = p.values[0][line[3*x]]
				greens[x] = p.values[1][line[3*x+1]]
				blues[x] = p.values[2][line[3*x+2]]
			}
		}
	}
}
