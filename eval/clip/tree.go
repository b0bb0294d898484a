package clip

import (
	"context"
	"fmt"
	"math"
)

// Composer is an encoder that tells how much what it makes of some words of a text
// depends on the words around them.
type Composer interface {
	// Spans gives of each text a chart for each layer from which spans are alone, the
	// first layer first, as many of all texts.
	Spans(ctx context.Context, texts []string) ([][]Chart, error)
}

// Chart has of each span of a text's words, by its first word and its length less 1,
// the cosine of what the span is in the text with what it is alone: the span's
// contextual invariance.
type Chart [][]float64

// TreeScores measures how much like a tree an encoder works on texts (MosaiCLIP §4.2,
// H.2; Murty et al. 2023): how much more invariant the spans of its best tree are than
// those of random ones, the mean over texts, of each layer from which spans are alone. It
// is the score of their published program, but that a random split counts as the mean of
// all, where the program draws one.
func TreeScores(ctx context.Context, encoder Composer, name string, texts []string, o Options) (*Result, error) {
	result := &Result{Name: name}
	for first := 0; first < len(texts); first += o.batchSize() {
		part := texts[first:min(first+o.batchSize(), len(texts))]
		charts, err := encoder.Spans(ctx, part)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for _, of := range charts {
			for layer := len(result.Measures); layer < len(of) && first == 0; layer++ {
				result.Measures = append(result.Measures, Measure{Name: fmt.Sprintf("spans alone from layer %d", layer)})
			}
			if len(of) != len(result.Measures) {
				return nil, fmt.Errorf("the encoder gave %d charts of one text, and %d of another", len(of), len(result.Measures))
			}
			for layer, chart := range of {
				m := &result.Measures[layer]
				m.Values = append(m.Values, chart.treeScore(0, len(chart)))
			}
		}
		o.reportDone(len(part))
	}
	return result, nil
}

// treeScore is that of the words from first to end-1: from the top down, each span is split
// where its halves are the most invariant, and gets by how much more they are than the
// halves of any split. It is 0 of fewer than three words, which have one tree.
func (c Chart) treeScore(first, end int) float64 {
	if end-first < 3 {
		return 0
	}
	best, at, sum := math.Inf(-1), first+1, 0.0
	for k := first + 1; k < end; k++ {
		halves := c[first][k-first-1] + c[k][end-k-1]
		sum += halves
		if halves > best {
			best, at = halves, k
		}
	}
	return best - sum/float64(end-first-1) + c.treeScore(first, at) + c.treeScore(at, end)
}
