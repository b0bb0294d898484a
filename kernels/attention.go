package kernels

import "math"

type attentionOps interface {
	// Attention computes y = softmax(q·kᵀ/√d)·v [n, w] within each sequence, for each head
	// separately. qkv [n, 3w] holds queries, keys and values side by side, head h of each in the
	// columns h·d to (h+1)·d of its third. starts has the first row of each sequence, and n at the
	// end. If causal, a row attends to no later row. lse [n, heads], or none, keeps the log-sum-exp
	// of each row's scores.
	Attention(y, lse, qkv Tensor, starts Ints, heads int, causal bool)
	// AttentionBackward computes the gradient of qkv from dy [n, w].
	AttentionBackward(dqkv Grad, dy, y, lse, qkv Tensor, starts Ints, heads int, causal bool)
}

// Attention returns multi-head attention [n, w] (Vaswani et al. 2017, eq. 1) within each of the
// packed sequences of qkv [n, 3w].
func (t *Tape) Attention(qkv *Var, starts Ints, heads int, causal bool) *Var {
	n, w := qkv.Value.Rows, qkv.Value.Cols/3
	checkShape(heads > 0 && qkv.Value.Cols == 3*w && w%heads == 0, "the width of attention is no multiple of its heads")
	checkShape(starts.covers(n), "the sequences are not the rows")
	y := t.withHalf(t.newResult(n, w, qkv))
	r := record{backward: attentionBackward, in: [4]*Var{qkv}, out: y, number: [4]int{heads}, ints: [5]Ints{starts}}
	if causal {
		r.number[1] = 1
	}
	r.saved[0] = t.newSaved(y, n, heads)
	t.Device.Attention(y.Value, r.saved[0], qkv.Value, starts, heads, causal)
	return t.addRecord(r)
}

func attentionBackward(t *Tape, r *record) {
	qkv := r.in[0]
	t.Device.AttentionBackward(t.gradOf(qkv), r.out.Grad, r.out.Value, r.saved[0], qkv.Value, r.ints[0], r.number[0], r.number[1] == 1)
}

// eachHead calls f for each row of each sequence and each head, with the rows first to end-1 that
// it attends to.
func eachHead(starts Ints, heads int, causal bool, f func(row, first, end, head int)) {
	for s := range starts.Len() - 1 {
		first, end := int(starts.Host[s]), int(starts.Host[s+1])
		for row := first; row < end; row++ {
			for h := range heads {
				last := end
				if causal {
					last = row + 1
				}
				f(row, first, last, h)
			}
		}
	}
}

// Attention implements Device.
func (d *Reference) Attention(y, lse, qkv Tensor, starts Ints, heads int, causal bool) {
	w := y.Cols
	wide := w / heads
	scale := 1 / math.Sqrt(float64(wide))
	eachHead(starts, heads, causal, func(i, first, end, h int) {
		q := qkv.row(i)[h*wide : (h+1)*wide]
		scores := d.scratchFor(end - first)
		most := math.Inf(-1)
		for k := range scores {
			scores[k] = scale * dot(q, qkv.row(first + k)[w+h*wide:w+(h+1)*wide])
			most = max(most, scores[k])
		}
		var sum float64
		for k := range scores {
			scores[k] = math.Exp(scores[k] - most)
			sum += scores[k]
		}
		out := y.row(i)[h*wide : (h+1)*wide]
		clear(out)
		for j := first; j < end; j++ {
			for k, v := range qkv.row(j)[2*w+h*wide : 2*w+(h+1)*wide] {
				out[k] += scores[j-first] / sum * v
			}
		}
		if !lse.IsNone() {
			lse.F64[i*heads+h] = most + math.Log(sum)
		}
	})
}

// AttentionBackward implements Device.
func (*Reference) AttentionBackward(dqkv Grad, dy, y, lse, qkv Tensor, starts Ints, heads int, causal bool) {
	w := y.Cols
	d := w / heads
	scale := 1 / math.Sqrt(float64(d))
	if !dqkv.Add {
		clear(dqkv.F64)
	}
	eachHead(starts, heads, causal, func(i, first, end, h int) {
		q, dq := qkv.row(i)[h*d:(h+1)*d], dqkv.row(i)[h*d:(h+1)*d]
		g := dy.row(i)[h*d : (h+1)*d]
		along := dot(g, y.row(i)[h*d:(h+1)*d])
		for j := first; j < end; j++ {
			k, dk := qkv.row(j)[w+h*d:w+(h+1)*d], dqkv.row(j)[w+h*d:w+(h+1)*d]
			v, dv := qkv.row(j)[2*w+h*d:2*w+(h+1)*d], dqkv.row(j)[2*w+h*d:2*w+(h+1)*d]
			p := math.Exp(scale*dot(q, k) - lse.F64[i*heads+h])
			ds := scale * p * (dot(g, v) - along)
			for x := range d {
				dv[x] += p * g[x]
				dq[x] += ds * k[x]
				dk[x] += ds * q[x]
			}
		}
	})
}
