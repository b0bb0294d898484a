package objective

import "capgraph/kernels"

// margins are numbers that are added to the similarities of images with their own hard negatives, so that these must be
// less similar: the largest margin times loader.Negative.Margin. They do not change the gradient of similarities.
type margins struct {
	most   float64   // the largest margin, in logits; 0: no margins
	values []float64 // [n, texts]
	texts  int
}

// reset sets the margins of n images and the texts to 0.
func (m *margins) reset(n, texts int) {
	if m.most > 0 {
		m.values, m.texts = append(m.values[:0], make([]float64, n*texts)...), texts
	}
}

// set sets the margin of an image and a text to a share of the largest margin.
func (m *margins) set(image, text int, share float32) {
	if m.most > 0 {
		m.values[image*m.texts+text] = m.most * float64(share)
	}
}

// add returns the similarities s plus the margins.
func (m *margins) add(t *kernels.Tape, s *kernels.Var) *kernels.Var {
	if m.most == 0 {
		return s
	}
	return t.Sum([]*kernels.Var{s, constant(t, s.Value.Rows, s.Value.Cols, m.values)}, []float64{1, 1})
}

// constant returns values as a constant [rows, cols].
func constant(t *kernels.Tape, rows, cols int, values []float64) *kernels.Var {
	x := t.Arena.Tensor(rows, cols)
	t.Device.Write(x, values)
	return t.Constant(x)
}

// weights has the weights of positive texts, with which the means of MosaiCLIP's loss become weighted means.
type weights struct {
	ofTexts []float64 // the weight of each positive
	linear  []float64 // [n, texts]: the coefficient of each similarity outside the log-sum-exps
	columns []float64 // for each positive, the coefficient of its column's log-sum-exp
	starts  []int32   // of columns
	own     textColumns
}

// prepare computes the coefficients. mask is [n, texts]; its first columns are the positives, whose rows are the first
// of rows.
//
// For images, Contrastive computes the log-sum-exps and the plain means of positives; linear corrects these to weighted
// means. For texts, linear has the means, and columns the weights of the log-sum-exps.
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

// weightedContrast returns the loss of Contrastive with weighted means. s are the similarities of images with texts
// without margins, with are the same similarities with margins.
func (w *weights) weightedContrast(t *kernels.Tape, s, with, images, text, logScale *kernels.Var, mask kernels.Bytes) *kernels.Var {
	n, m := s.Value.Rows, len(w.ofTexts)
	ofImages := t.Contrastive(with, mask, m, 0.5/float64(n), 0)
	back := t.Reshape(t.Similarity(w.own.features(t, text), images, logScale), n*m)
	ofTexts := t.RowDot(t.SegmentLSE(back, t.Device.Ints(w.starts)), constant(t, 1, m, w.columns), t.Scalar(0))
	linear := t.SumRow(t.RowDot(s, constant(t, n, s.Value.Cols, w.linear), t.Scalar(0)), 1)
	return t.Sum([]*kernels.Var{ofImages, ofTexts, linear}, []float64{1, 1, 1})
}
