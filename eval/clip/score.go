package clip

import (
	"context"
	"math"
)

// Result is the result of a benchmark.
type Result struct {
	Name     string
	Measures []Measure
	// Broken are the images that could not be encoded, each once, in order.
	Broken []Broken
	// Note is a remark, or "".
	Note string
	// Cases are the cases of the measures' values; nil if there are none.
	Cases []Case
}

// Options are the settings of a measurement.
type Options struct {
	Batch int       // cases that are encoded at once; 0: 256
	Done  func(int) // is called with the number of further cases, images or texts that are done; may be nil
}

func (o Options) batchSize() int {
	if o.Batch > 0 {
		return o.Batch
	}
	return 256
}

func (o Options) reportDone(n int) {
	if o.Done != nil {
		o.Done(n)
	}
}

// maxTexts is the largest number of texts that are encoded at once. A case with more is encoded alone.
const maxTexts = 4096

// Score encodes the cases of a benchmark, a batch at a time, and returns its measures. Each image and
// text of a batch is encoded once. A margin that is NaN counts as 0.
func Score(ctx context.Context, encoder Encoder, b Benchmark, o Options) (*Result, error) {
	margins := make([][]float64, len(b.Metrics))
	result := &Result{Name: b.Name, Cases: b.Cases}
	named := map[Image]bool{}
	for first := 0; first < len(b.Cases); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last, texts := first, 0
		for last < len(b.Cases) && last-first < o.batchSize() && (last == first || texts+len(b.Cases[last].Texts) <= maxTexts) {
			texts += len(b.Cases[last].Texts)
			last++
		}
		e, err := encodeBatch(ctx, encoder, b.Cases[first:last])
		if err != nil {
			return nil, err
		}
		for _, c := range b.Cases[first:last] {
			s, ok := e.similarities(c)
			for m := range b.Metrics {
				margins[m] = append(margins[m], caseMargin(&b.Metrics[m], s, ok))
			}
		}
		for _, i := range e.broken {
			if !named[i.image] {
				named[i.image] = true
				result.Broken = append(result.Broken, Broken{i.image.Name, i.err})
			}
		}
		o.reportDone(last - first)
		first = last
	}
	for m := range b.Metrics {
		result.Measures = append(result.Measures, newMeasure(&b.Metrics[m], b.Cases, margins[m]))
	}
	return result, nil
}

// caseMargin returns the margin of a case; NaN if an image is broken.
func caseMargin(m *Metric, s Similarities, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	if margin := m.Margin(s); !math.IsNaN(margin) {
		return margin
	}
	return 0
}

// encodedBatch are the features of a batch of cases.
type encodedBatch struct {
	images, texts       [][]float32
	imageIndex          map[Image]int
	textIndex           map[string]int
	broken              []brokenImage
	brokenAt            map[int]error
	imageRows, textRows [][]float32 // of a case
	scored              bool        // the similarities of images are scores with all texts
	columns             []int       // of the texts of a case
}

// brokenImage is an image that could not be encoded.
type brokenImage struct {
	image Image
	err   error
}

// encodeBatch encodes the images and texts of cases.
func encodeBatch(ctx context.Context, encoder Encoder, cases []Case) (e *encodedBatch, err error) {
	e = &encodedBatch{imageIndex: map[Image]int{}, textIndex: map[string]int{}}
	var images []Image
	var texts []string
	for _, c := range cases {
		for _, i := range c.Images {
			if _, known := e.imageIndex[i]; !known {
				e.imageIndex[i] = len(images)
				images = append(images, i)
			}
		}
		for _, t := range c.Texts {
			if _, known := e.textIndex[t]; !known {
				e.textIndex[t] = len(texts)
				texts = append(texts, t)
			}
		}
	}
	width := 0
	if len(texts) > 0 {
		if e.texts, err = encoder.EncodeTexts(ctx, texts); err != nil {
			return nil, err
		}
		if width, err = checkRows("texts", e.texts, nil, len(texts), 0); err != nil {
			return nil, err
		}
	}
	if s := asScorer(encoder); s != nil && len(texts) > 0 {
		e.scored, width = true, len(texts)
		e.images, e.brokenAt, err = s.Scores(ctx, images, texts)
	} else {
		e.images, e.brokenAt, err = encoder.EncodeImages(ctx, images)
	}
	if err != nil {
		return nil, err
	}
	if _, err := checkRows("images", e.images, e.brokenAt, len(images), width); err != nil {
		return nil, err
	}
	for i, image := range images {
		if err := e.brokenAt[i]; err != nil {
			e.broken = append(e.broken, brokenImage{image, err})
		}
	}
	return e, nil
}

// similarities returns the similarities of a case, valid until the next call. ok is false if one of its
// images is broken.
func (e *encodedBatch) similarities(c Case) (s Similarities, ok bool) {
	e.imageRows, e.textRows, e.columns = e.imageRows[:0], e.textRows[:0], e.columns[:0]
	for _, image := range c.Images {
		i := e.imageIndex[image]
		if e.brokenAt[i] != nil {
			return s, false
		}
		e.imageRows = append(e.imageRows, e.images[i])
	}
	for _, t := range c.Texts {
		e.textRows = append(e.textRows, e.texts[e.textIndex[t]])
		e.columns = append(e.columns, e.textIndex[t])
	}
	return Similarities{e.imageRows, e.textRows, e.scored, e.columns}, true
}
