package clip

import (
	"context"
	"fmt"
	"math"
)

// Composer is an encoder that measures how much its representation of a span of words depends on the
// words around it.
type Composer interface {
	// Spans returns the charts of each text: one for each layer from which spans are encoded alone, the
	// first layer first.
	Spans(ctx context.Context, texts []string) ([][]Chart, error)
}

// Chart has the contextual invariance of each span of a text, by its first word and its length minus 1:
// the cosine of its representation in the text with its representation alone.
type Chart [][]float64

// TreeScores measures how tree-like an encoder processes texts (MosaiCLIP §4.2, H.2; Murty et al.
// 2023): how much more invariant the spans of the best tree are than those of random trees,
// averaged over texts, for each layer of Spans. It is the score of their program, except that it
// takes the mean of all random splits where the program draws one.
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
		for _, layers := range charts {
			for layer := len(result.Measures); layer < len(layers) && first == 0; layer++ {
				result.Measures = append(result.Measures, Measure{Name: fmt.Sprintf("spans alone from layer %d", layer)})
			}
			if len(layers) != len(result.Measures) {
				return nil, fmt.Errorf("the encoder returned %d charts of one text, and %d of another", len(layers), len(result.Measures))
			}
			for layer, chart := range layers {
				m := &result.Measures[layer]
				m.Values = append(m.Values, chart.treeScore(0, len(chart)))
			}
		}
		o.reportDone(len(part))
	}
	return result, nil
}

// treeScore returns the score of the words from first to end-1. From the top down, each span is split
// where the two halves are most invariant. The score of a split is how much more invariant these halves
// are than those of the mean split. Fewer than three words have one tree and the score 0.
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
