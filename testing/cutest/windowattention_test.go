package cutest

import (
	"math"

	"capgraph/kernels"
)

func (d *device) WindowAttention(y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	in, heads := w.Side*w.Side, table.Cols
	depth := y.Cols / heads
	d.run("windowattention_forward", imagesOf(y, in), []uint16(nil), whole{imagesOf(lse, in)}, imagesOf(qkv, in), table,
		rows(y.Rows/in), w.Side, w.Size, w.Shift, heads, depth, 1/math.Sqrt(float64(depth)))
}

func (d *device) WindowAttentionBackward(dqkv, dtable kernels.Grad, dy, y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	in, heads := w.Side*w.Side, table.Cols
	depth := y.Cols / heads
	made := func(cols int) packed {
		return imagesOf(kernels.Tensor{Rows: y.Rows, Cols: cols, Memory: kernels.Memory{F32: nonsense(y.Rows * cols)}}, in)
	}
	along, slopes, thirds := made(heads), made(heads*w.Size*w.Size), packed{dqkv.Tensor, in, dqkv.Add}
	last := []any{imagesOf(lse, in), imagesOf(qkv, in), table, rows(y.Rows / in), w.Side, w.Size, w.Shift, heads, depth, 1 / math.Sqrt(float64(depth)), dqkv.Add}
	d.run("windowattention_queries", append([]any{whole{thirds}, whole{along}, whole{slopes}, imagesOf(dy, in), imagesOf(y, in)}, last...)...)
	if !dqkv.IsNone() {
		d.run("windowattention_keys", append([]any{whole{thirds}, along, imagesOf(dy, in)}, last...)...)
	}
	if !dtable.IsNone() {
		d.run("windowattention_table", dtable, slopes, rows(y.Rows/in), w.Side, w.Size, w.Shift, dtable.Rows, heads, dtable.Add)
	}
}
