package objective

import "capgraph/kernels"

// margins are added to the similarities of images with their own hard negatives, so that these must be further away:
// the largest margin times what each negative has of it (loader.Negative.Margin). The gradient passes unchanged.
type margins struct {
	most   float64   // in logits; 0: there are none
	values []float64 // [n, texts]
	texts  int
}

// reset removes the margins, for n images and a number of texts.
func (m *margins) reset(n, texts int) {
	if m.most > 0 {
		m.values, m.texts = append(m.values[:0], make([]float64, n*texts)...), texts
	}
}

// set sets the margin of an image and a text.
func (m *margins) set(image, text int, share float32) {
	if m.most > 0 {
		m.values[image*m.texts+text] = m.most * float64(share)
	}
}

// add adds the margins to similarities.
func (m *margins) add(t *kernels.Tape, s *kernels.Var) *kernels.Var {
	if m.most == 0 {
		return s
	}
	return t.Sum([]*kernels.Var{s, constant(t, s.Value.Rows, s.Value.Cols, m.values)}, []float64{1, 1})
}

// constant returns numbers that need no gradient, [rows, cols].
func constant(t *kernels.Tape, rows, cols int, values []float64) *kernels.Var {
	x := t.Arena.Tensor(rows, cols)
	t.Device.Write(x, values)
	return t.Constant(x)
}

// weights are the weights of positive texts, by which the sums of MosaiCLIP are weighted means.
type weights struct {
	ofTexts []float64 // of each positive
	linear  []float64 // [n, texts]: what each similarity has in the loss besides the log-sum-exps
	columns []float64 // of each positive, of the log-sum-exp of its column
	starts  []int32   // of columns
	own     textColumns
}

// prepare sums the weights up. mask is [n, texts]; its first columns are the positives, which rows lists.
//
// Contrastive has the log-sum-exps of the images, and the plain means of their positives, which linear turns into
// weighted ones; then it has the same of texts.
func (w *weights) prepare(mask []byte, rows []int32, n, texts int) {
	m := len(w.ofTexts)
	w.linear, w.columns = append(w.linear[:0], make([]float64, n*texts)...), append(w.columns[:0], make([]float64, m)...)
	w.own.rows, w.starts = append(w.own.rows[:0], rows[:m]...), w.starts[:0]
	total, images := 0.0, make([]float64, m)
	for _, x := range w.ofTexts {
		total += x
	}
	for i := range n {
		row, sum, count := mask[i*texts:], 0.0, 0.0
		for j, x := range w.ofTexts {
			if row[j] == kernels.MaskPositive {
				sum, count = sum+x, count+1
				images[j]++
			}
		}
		for j, x := range w.ofTexts {
			if row[j] == kernels.MaskPositive {
				w.linear[i*texts+j] = 0.5 / float64(n) * (1/count - x/sum)
			}
		}
	}
	for j, x := range w.ofTexts {
		w.starts = append(w.starts, int32(j*n))
		w.columns[j] = 0.5 * x / total
		for i := range n {
			if mask[i*texts+j] == kernels.MaskPositive {
				w.linear[i*texts+j] -= w.columns[j] / images[j]
			}
		}
	}
	w.starts = append(w.starts, int32(m*n))
}

// contrast is Contrastive with weighted means: s are the similarities of images with texts, without margins, and with is
// the same with them.
func (w *weights) contrast(t *kernels.Tape, s, with, images, text, logScale *kernels.Var, mask kernels.Bytes) *kernels.Var {
	n, m := s.Value.Rows, len(w.ofTexts)
	ofImages := t.Contrastive(with, mask, m, 0.5/float64(n), 0)
	back := t.Reshape(t.Similarity(w.own.features(t, text), images, logScale), n*m)
	ofTexts := t.RowDot(t.SegmentLSE(back, t.Device.Ints(w.starts)), constant(t, 1, m, w.columns), t.Scalar(0))
	linear := t.SumRow(t.RowDot(s, constant(t, n, s.Value.Cols, w.linear), t.Scalar(0)), 1)
	return t.Sum([]*kernels.Var{ofImages, ofTexts, linear}, []float64{1, 1, 1})
}
