package cutest

import (
	"math"

	"capgraph/kernels"
)

func (d *device) Attention(y, lse, qkv kernels.Tensor, starts kernels.Ints, heads int, causal bool) {
	depth := y.Cols / heads
	d.run("attention_forward", rowsOf(y), []uint16(nil), whole{rowsOf(lse)}, rowsOf(qkv), parts{starts}, rows(starts.Len()-1), bucket(y.Rows), heads, depth, 1/math.Sqrt(float64(depth)), causal)
}

func (d *device) AttentionBackward(dqkv kernels.Grad, dy, y, lse, qkv kernels.Tensor, starts kernels.Ints, heads int, causal bool) {
	depth := y.Cols / heads
	along := kernels.Tensor{Rows: y.Rows, Cols: heads, Memory: kernels.Memory{F32: nonsense(y.Rows * heads)}}
	last := []any{rowsOf(qkv), parts{starts}, rows(starts.Len() - 1), bucket(y.Rows), heads, depth, 1 / math.Sqrt(float64(depth)), causal}
	thirds := gradOf(dqkv)
	d.run("attention_queries", append(append([]any{whole{thirds}, whole{rowsOf(along)}, rowsOf(dy), rowsOf(y), rowsOf(lse)}, last...), dqkv.Add)...)
	d.run("attention_keys", append(append([]any{whole{thirds}, rowsOf(along), rowsOf(dy), rowsOf(lse)}, last...), dqkv.Add)...)
}
