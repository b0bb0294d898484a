package cuda

import (
	"fmt"
	"math"

	"capgraph/kernels"
)

// WindowAttention implements kernels.Device.
func (d *Device) WindowAttention(y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	heads := table.Cols
	depth := y.Cols / heads
	if depth > maxHeadWidth {
		d.fail(fmt.Errorf("heads of attention are %d wide, more than %d: set the model's head_width lower", depth, maxHeadWidth))
		return
	}
	d.launch("windowattention_forward", y.Address, y.Half, lse.Address, qkv.Address, table.Address, none,
		imageCount(y, w.Side), w.Side, w.Size, w.Shift, heads, depth, 1/math.Sqrt(float64(depth)))
}

// WindowAttentionBackward implements kernels.Device.
func (d *Device) WindowAttentionBackward(dqkv, dtable kernels.Grad, dy, y, lse, qkv, table kernels.Tensor, w kernels.Windows) {
	d.resetScratch()
	heads, n := table.Cols, imageCount(y, w.Side)
	depth, scale := y.Cols/heads, 1/math.Sqrt(float64(y.Cols/heads))
	along, slopes := d.scratchFloats(y.Rows*heads), d.scratchFloats(y.Rows*heads*w.Size*w.Size)
	d.launch("windowattention_queries", dqkv.Address, along, slopes, dy.Address, y.Address, lse.Address, qkv.Address, table.Address, none,
		n, w.Side, w.Size, w.Shift, heads, depth, scale, dqkv.Add)
	if !dqkv.IsNone() {
		d.launch("windowattention_keys", dqkv.Address, along, dy.Address, lse.Address, qkv.Address, table.Address, none,
			n, w.Side, w.Size, w.Shift, heads, depth, scale, dqkv.Add)
	}
	if !dtable.IsNone() {
		d.launch("windowattention_table", dtable.Address, slopes, none, n, w.Side, w.Size, w.Shift, dtable.Rows, heads, dtable.Add)
	}
}
