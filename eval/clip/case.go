package clip

import "image"

// Image names an image of a benchmark, and which part of it is meant.
type Image struct {
	Name string          // as the benchmark's file has it: a path within its folder of images
	Part image.Rectangle // in pixels; empty: all of it
}

// Case is one question of a benchmark: images and texts that are compared.
type Case struct {
	ID string
	// Part is what the benchmark counts on its own, such as a relation; "" where
	// there are no parts.
	Part string
	// Pair and Set name those cases that are right only together; "" where the case
	// is of none.
	Pair, Set string
	Images    []Image
	Texts     []string
}

// Similarities are the cosines between the images and the texts of a case, or the
// scores of a Scorer.
type Similarities struct {
	images, texts [][]float32
	scored        bool // images are scores, of which columns are the texts'
	columns       []int
}

// Image is the cosine of image i with text t, or its score.
func (s Similarities) Image(i, t int) float64 {
	if s.scored {
		return float64(s.images[i][s.columns[t]])
	}
	return dotProduct(s.images[i], s.texts[t])
}

// Text is the cosine of text a with text b.
func (s Similarities) Text(a, b int) float64 { return dotProduct(s.texts[a], s.texts[b]) }

// Metric is what a benchmark asks of its cases.
type Metric struct {
	Name string
	// Margin is the margin of a case, which is right where it is above 0: a tie is
	// wrong. Of a mean, it is what the mean is of.
	Margin func(Similarities) float64
	// Mean says that the metric is the mean of Of, not the share above 0.
	Mean bool
	// Chance is the share of the right ones where similarities are random.
	Chance float64
	// Together names the cases that are right only if all of them are, such as
	// those of a Pair; nil where each is for itself.
	Together func(*Case) string
	// Macro is the mean over the parts of at least so many cases, in place of that
	// over the cases; 0 where it is over the cases.
	Macro int
}

// Benchmark is a list of cases and what is asked of them.
type Benchmark struct {
	Name    string
	Cases   []Case
	Metrics []Metric
}

// trueTextMargin is how much nearer the image is to its first text than to any other.
func trueTextMargin(s Similarities) float64 {
	margin := s.Image(0, 0) - s.Image(0, 1)
	for t := 2; t < len(s.texts); t++ {
		margin = min(margin, s.Image(0, 0)-s.Image(0, t))
	}
	return margin
}

// pairMetrics are those of an image with a true and a false caption, in that
// order: accuracy, and of CE-CLIP's supplement 6 the similarity of both captions,
// which should be low, and how much nearer the true one is, which should be high.
func pairMetrics() []Metric {
	return []Metric{
		{Name: "accuracy", Margin: trueTextMargin, Chance: 0.5},
		{Name: "intra-modal similarity", Margin: func(s Similarities) float64 { return s.Text(0, 1) }, Mean: true},
		{Name: "cross-modal gap", Margin: trueTextMargin, Mean: true},
	}
}
