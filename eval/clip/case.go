package clip

import "image"

// Image is an image of a benchmark, or a part of it.
type Image struct {
	Name string          // as in the benchmark's file: a path in its folder of images
	Part image.Rectangle // in pixels; empty: the whole image
}

// Case is one question of a benchmark: images and texts to compare.
type Case struct {
	ID string
	// Part names a group that the benchmark also counts separately, such as a relation; "" if it
	// has no parts.
	Part string
	// Pair and Set name groups for Metric.Together: a group is right if all of its cases are; "" if
	// there are none.
	Pair, Set string
	Images    []Image
	Texts     []string
}

// Similarities are the cosines between the images and texts of a case, or the scores of a Scorer.
type Similarities struct {
	images, texts [][]float32
	scored        bool  // images are scores
	columns       []int // the column of each text in images, if scored
}

// Image returns the cosine of image i with text t, or its score.
func (s Similarities) Image(i, t int) float64 {
	if s.scored {
		return float64(s.images[i][s.columns[t]])
	}
	return dotProduct(s.images[i], s.texts[t])
}

// Text returns the cosine of text a with text b.
func (s Similarities) Text(a, b int) float64 { return dotProduct(s.texts[a], s.texts[b]) }

// Metric is a question that a benchmark asks about its cases.
type Metric struct {
	Name string
	// Margin returns the margin of a case. The case is right if it is above 0; a tie is wrong. If
	// Mean is set, it returns the value to average.
	Margin func(Similarities) float64
	// Mean says that the metric is the mean of Margin, not the share above 0.
	Mean bool
	// Chance is the share that is right with random similarities.
	Chance float64
	// Together returns the group of a case, such as its Pair: its cases are right only together. Cases
	// of the group "" are left out. Nil: each case counts by itself.
	Together func(*Case) string
	// Macro, if above 0, makes the figure the mean over the parts with at least so many cases. 0: the
	// mean over cases.
	Macro int
}

// Benchmark is a list of cases with metrics.
type Benchmark struct {
	Name    string
	Cases   []Case
	Metrics []Metric
}

// trueTextMargin returns how much nearer the image is to its first text than to any other.
func trueTextMargin(s Similarities) float64 {
	margin := s.Image(0, 0) - s.Image(0, 1)
	for t := 2; t < len(s.texts); t++ {
		margin = min(margin, s.Image(0, 0)-s.Image(0, t))
	}
	return margin
}

// pairMetrics returns the metrics of an image with a true and a false caption, in that order. The
// last two are of CE-CLIP, supplement 6: the similarity of the captions should be low, the gap between
// their similarities to the image high.
func pairMetrics() []Metric {
	return []Metric{
		{Name: "accuracy", Margin: trueTextMargin, Chance: 0.5},
		{Name: "intra-modal similarity", Margin: func(s Similarities) float64 { return s.Text(0, 1) }, Mean: true},
		{Name: "cross-modal gap", Margin: trueTextMargin, Mean: true},
	}
}
