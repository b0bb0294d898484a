package cutest

import "capgraph/kernels"

func (d *device) Unfold(y, x kernels.Tensor, w kernels.Window) {
	in, out := w.Side*w.Side, w.OutputSide()*w.OutputSide()
	d.run("unfold", imagesOf(y, out), []uint16(nil), imagesOf(x, in), rows(x.Rows/in), w.Side, w.OutputSide(), w.Kernel, w.Stride, w.Padding, x.Cols)
}

func (d *device) Fold(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	in, out := w.Side*w.Side, w.OutputSide()*w.OutputSide()
	d.run("fold", packed{dx.Tensor, in, dx.Add}, imagesOf(dy, out), rows(dx.Rows/in), w.Side, w.OutputSide(), w.Kernel, w.Stride, w.Padding, dx.Cols, dx.Add)
}

func (d *device) AveragePool(y, x kernels.Tensor, w kernels.Window) {
	in, out := w.Side*w.Side, w.OutputSide()*w.OutputSide()
	d.run("averagepool_forward", imagesOf(y, out), []uint16(nil), imagesOf(x, in), rows(x.Rows/in), w.Side, w.OutputSide(), w.Kernel, x.Cols)
}

func (d *device) AveragePoolBackward(dx kernels.Grad, dy kernels.Tensor, w kernels.Window) {
	in, out := w.Side*w.Side, w.OutputSide()*w.OutputSide()
	d.run("averagepool_backward", packed{dx.Tensor, in, dx.Add}, imagesOf(dy, out), rows(dx.Rows/in), w.Side, w.OutputSide(), w.Kernel, dx.Cols, dx.Add)
}
