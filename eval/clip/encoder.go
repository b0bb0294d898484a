// Package clip measures dual encoders on the benchmarks of the papers: whether an image is nearer to
// its true caption than to false ones, whether its captions find it, and which class it is of.
//
// Read reads a published file of a benchmark as cases and metrics (Benchmark). Score encodes the cases
// with an Encoder and returns a Result: values case by case, whose mean and bootstrap interval are a
// Measure. Retrieve, Classify and TreeScores return Results too. Figures and WriteTable compare
// the Results of several models.
//
// A tie is wrong. An image that is missing or broken is counted and named, and cases that need it are
// left out.
package clip

import (
	"context"
	"fmt"
)

// Encoder is a model to measure.
type Encoder interface {
	// EncodeImages returns the features of each image, normalised to length 1. An image that is missing
	// or broken has an entry in broken, by its index, instead. The results are valid until the next
	// call.
	EncodeImages(ctx context.Context, images []Image) (features [][]float32, broken map[int]error, err error)
	// EncodeTexts returns the features of each text, normalised to length 1, valid until the next call.
	EncodeTexts(ctx context.Context, texts []string) ([][]float32, error)
}

// Scorer is an encoder that may compare images with texts by more than their features, as OC-CLIP does.
type Scorer interface {
	Encoder
	// HasScores reports whether the encoder has scores of its own. If not, Scores must not be called.
	HasScores() bool
	// Scores returns the score of each image with each text, from -1 to 1. broken is as in
	// EncodeImages.
	Scores(ctx context.Context, images []Image, texts []string) (scores [][]float32, broken map[int]error, err error)
}

// asScorer returns the encoder as a Scorer, or nil if the cosines of its features are used.
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

// dotProduct returns the similarity of two features.
func dotProduct(a, b []float32) float64 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// checkRows returns the width of an encoder's rows. It returns an error unless there are n rows and all
// rows that are not broken have the same width: the given one, unless it is 0.
func checkRows(what string, rows [][]float32, broken map[int]error, n, width int) (int, error) {
	if len(rows) != n {
		return 0, fmt.Errorf("the encoder returned features of %d of %d %s", len(rows), n, what)
	}
	for i, row := range rows {
		if broken[i] != nil {
			continue
		}
		if width == 0 {
			width = len(row)
		}
		if len(row) != width || width == 0 {
			return 0, fmt.Errorf("the encoder returned %d numbers for one of the %s, and %d for another", len(row), what, width)
		}
	}
	return width, nil
}
