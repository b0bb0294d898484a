package clip

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"capgraph/kernels/products"
)

// Classify measures zero-shot classification (Radford et al. 2021, §3.1). The predicted class is the
// one with the nearest feature: the normalised mean of the features of its templates. A Scorer's
// score of a class is the mean of the scores of its templates. Measures are top-1, top-5 if there are
// more than 5 classes, and the mean over classes of top-1.
func Classify(ctx context.Context, encoder Encoder, name string, list []Labelled, classes []Class, templates []string, o Options) (*Result, error) {
	label, err := classIndices(list, classes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	g := batchEncoder{encoder: encoder, options: o}
	s := asScorer(encoder)
	var texts products.Rows
	if s == nil {
		if texts, err = g.encodeClasses(ctx, classes, templates); err != nil {
			return nil, err
		}
	}
	result := &Result{Name: name}
	margins := [2][]float64{nanSlice(len(list)), nanSlice(len(list))}
	for first := 0; first < len(list); first += o.batchSize() {
		var images []Image
		for _, l := range list[first:min(first+o.batchSize(), len(list))] {
			images = append(images, Image{Name: l.Image})
		}
		if s != nil {
			scores, err := g.scoreClasses(ctx, s, images, classes, templates)
			if err != nil {
				return nil, err
			}
			for i, score := range scores {
				if score != nil {
					margins[0][first+i], margins[1][first+i] = classMargins(score, label[first+i])
				}
			}
			continue
		}
		rows, kept, err := g.encodeImages(ctx, images)
		if err != nil {
			return nil, err
		}
		for i, at := range kept {
			margins[0][first+at], margins[1][first+at] = nearestMargins(rows.Row(i), texts, label[first+at])
		}
	}
	result.Broken = g.broken
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = l.Label
	}
	result.Measures = classMeasures(margins, parts, len(classes))
	for i, l := range list {
		result.Cases = append(result.Cases, Case{ID: l.Image, Part: l.Label, Images: []Image{{Name: l.Image}}, Texts: []string{classes[label[i]].Name}})
	}
	return result, nil
}

// classMeasures returns the measures of margins: of top-1 and of top-5.
func classMeasures(margins [2][]float64, parts []string, classes int) []Measure {
	newMeasure := func(name string, margins []float64, chance float64, macro int) Measure {
		m := Measure{Name: name, Margins: margins, Parts: groupParts(parts), Share: true, Chance: chance, Macro: macro}
		for _, margin := range margins {
			m.Values = append(m.Values, rightValue(margin))
		}
		return m
	}
	measures := []Measure{newMeasure("top-1", margins[0], 1/float64(classes), 0)}
	if classes > 5 {
		measures = append(measures, newMeasure("top-5", margins[1], 5/float64(classes), 0))
	}
	return append(measures, newMeasure("top-1, mean over classes", margins[0], 1/float64(classes), 1))
}

// nanSlice returns a slice of n NaN values.
func nanSlice(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

// classIndices returns the index of each image's class.
func classIndices(list []Labelled, classes []Class) ([]int, error) {
	index := map[string]int{}
	for i, c := range classes {
		index[c.Label] = i
	}
	numbers := make([]int, len(list))
	for i, l := range list {
		at, known := index[l.Label]
		if !known {
			return nil, fmt.Errorf("image %s has the class %q, which is not in the list of classes", l.Image, l.Label)
		}
		numbers[i] = at
	}
	return numbers, nil
}

// scoreClasses returns the scores of images with classes, nil for a broken image.
func (g *batchEncoder) scoreClasses(ctx context.Context, s Scorer, images []Image, classes []Class, templates []string) ([][]float64, error) {
	var texts []string
	for _, c := range classes {
		for _, t := range templates {
			texts = append(texts, strings.ReplaceAll(t, "{}", c.Name))
		}
	}
	scores, broken, err := s.Scores(ctx, images, texts)
	if err == nil {
		_, err = checkRows("images", scores, broken, len(images), len(texts))
	}
	if err != nil {
		return nil, err
	}
	means := make([][]float64, len(images))
	for i, row := range scores {
		if broken[i] != nil {
			g.broken = append(g.broken, Broken{images[i].Name, broken[i]})
			continue
		}
		means[i] = make([]float64, len(classes))
		for k, score := range row {
			means[i][k/len(templates)] += float64(score) / float64(len(templates))
		}
	}
	g.options.reportDone(len(images))
	return means, nil
}

// encodeClasses returns the features of classes, a row each.
func (g *batchEncoder) encodeClasses(ctx context.Context, classes []Class, templates []string) (rows products.Rows, err error) {
	for _, c := range classes {
		var texts []string
		for _, t := range templates {
			texts = append(texts, strings.ReplaceAll(t, "{}", c.Name))
		}
		each, err := g.encodeTexts(ctx, texts)
		if err != nil {
			return rows, err
		}
		rows.Width = each.Width
		rows.Numbers = append(rows.Numbers, meanDirection(each)...)
	}
	return rows, nil
}

// meanDirection returns the mean of rows, normalised to length 1.
func meanDirection(rows products.Rows) []float32 {
	sum := make([]float64, rows.Width)
	for i := range rows.Len() {
		for k, x := range rows.Row(i) {
			sum[k] += float64(x)
		}
	}
	var square float64
	for _, x := range sum {
		square += x * x
	}
	mean := make([]float32, rows.Width)
	for k, x := range sum {
		mean[k] = float32(x / max(math.Sqrt(square), 1e-12))
	}
	return mean
}

// nearestMargins returns how much nearer an image is to its own class than to the nearest other
// class, and than to the fifth nearest.
func nearestMargins(image []float32, classes products.Rows, own int) (first, fifth float64) {
	scores := make([]float64, classes.Len())
	for c := range scores {
		scores[c] = dotProduct(image, classes.Row(c))
	}
	return classMargins(scores, own)
}

// classMargins returns by how much the score of the own class exceeds the best score of another
// class, and the fifth best.
func classMargins(scores []float64, own int) (first, fifth float64) {
	others := slices.Delete(slices.Clone(scores), own, own+1)
	slices.SortFunc(others, func(a, b float64) int {
		if a > b || b != b {
			return -1
		}
		return 1
	})
	return marginOver(scores[own], others, 0), marginOver(scores[own], others, 4)
}

// marginOver returns own minus others[i]; 1 if there is no others[i], and 0 if either is NaN.
func marginOver(own float64, others []float64, i int) float64 {
	if i >= len(others) {
		return 1
	}
	if d := own - others[i]; !math.IsNaN(d) {
		return d
	}
	return 0
}
