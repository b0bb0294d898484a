// Package clip measures dual encoders on the benchmarks of the papers: whether an
// image is more like its true caption than like false ones, whether it is found by
// its captions, which class it is of.
//
// A benchmark is a reader of its published files, one file of this package each,
// which gives cases and what is asked of them (Benchmark). Score encodes the
// cases, behind the interface Encoder, and gives measures: values case by case,
// with their mean and its bootstrap interval. Classification, retrieval and the
// linear probe give measures too, so that a report is a list of them.
//
// Features that are not above another's are not nearer: a tie is wrong. An image
// that is missing or broken is counted and named, and the cases that need it are
// left out; none is answered by chance.
package clip

import (
	"context"
	"fmt"
)

// Encoder is the model that is measured.
type Encoder interface {
	// EncodeImages returns the features of each image, normalised to length 1. An
	// image that is missing or broken has none, and an entry in broken by its index;
	// the error is of what keeps all from being encoded. Both are valid until the
	// next call of it.
	EncodeImages(ctx context.Context, images []Image) (features [][]float32, broken map[int]error, err error)
	// EncodeTexts returns the features of each text, normalised to length 1, valid
	// until the next call of it.
	EncodeTexts(ctx context.Context, texts []string) ([][]float32, error)
}

// Scorer is an encoder that may compare an image with a text by more than a feature of
// each, as OC-CLIP does.
type Scorer interface {
	Encoder
	// HasScores says whether it does; Scores are of no use where it does not.
	HasScores() bool
	// Scores gives of each image its score with each of texts, from -1 to 1; broken and the
	// error are as of EncodeImages.
	Scores(ctx context.Context, images []Image, texts []string) (scores [][]float32, broken map[int]error, err error)
}

// asScorer is the encoder where it scores; nil where features are compared.
func asScorer(e Encoder) Scorer {
	if s, ok := e.(Scorer); ok && s.HasScores() {
		return s
	}
	return nil
}

// Broken is an image that could not be encoded.
type Broken struct {
	Image string
	Err   error
}

// dotProduct is the similarity of two rows of features.
func dotProduct(a, b []float32) float64 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// checkRows returns an error where an encoder gave not n rows, but for those
// that are broken, all of the width that the first has or that width says.
func checkRows(what string, rows [][]float32, broken map[int]error, n, width int) (int, error) {
	if len(rows) != n {
		return 0, fmt.Errorf("the encoder gave features of %d of %d %s", len(rows), n, what)
	}
	for i, row := range rows {
		if broken[i] != nil {
			continue
		}
		if width == 0 {
			width = len(row)
		}
		if len(row) != width || width == 0 {
			return 0, fmt.Errorf("the encoder gave %d numbers for one of the %s, and %d for another", len(row), what, width)
		}
	}
	return width, nil
}
