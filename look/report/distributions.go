package report

import (
	"fmt"
	"html/template"
	"strings"

	"capgraph/negatives/textonly"
)

// plotDistributions returns plots of the sample. textOnly is the percentage of pairs in which a
// classifier that does not see the image gives the negative the higher score.
func plotDistributions(s *sample) (plots []template.HTML, textOnly float64, err error) {
	var objects, relations, pos, neg, posLength, negLength []float64
	for i := range s.graphs {
		objects = append(objects, float64(len(s.graphs[i].Graph.Objects)))
		relations = append(relations, float64(len(s.graphs[i].Graph.Relations)))
	}
	scored := textonly.NewSample(scoredPairs)
	for i := range s.texts {
		row := &s.texts[i]
		pos, neg = append(pos, float64(len(row.Pool.Positives))), append(neg, float64(len(row.Pool.Negatives)))
		for _, p := range row.Pool.Positives {
			posLength = append(posLength, countWords(p.Text))
		}
		for _, n := range row.Pool.Negatives {
			negLength = append(negLength, countWords(n.Text))
			scored.Add(textonly.Pair{Image: row.ImageKey, Method: n.Method, Positive: row.Pool.Positives[n.Of].Text, Negative: n.Text})
		}
	}
	pairs := scored.Pairs()
	posScore, negScore := textonly.Scores(pairs)
	for _, h := range []struct {
		title, unit string
		bins        int
		all         []series
	}{
		{"Objects and relations a caption", "how many", 12, []series{{"objects", objects}, {"relations", relations}}},
		{"Texts a caption", "how many", 16, []series{{"positives", pos}, {"negatives", neg}}},
		{"Length of texts", "words", 20, []series{{"positives", posLength}, {"negatives", negLength}}},
		{"Score from text alone", "log-odds of being a negative", 24, []series{{"positives", posScore}, {"negatives", negScore}}},
	} {
		svg, err := drawHistogram(h.title, h.unit, h.bins, h.all...)
		if err != nil {
			return nil, 0, fmt.Errorf("plot %q: %w", h.title, err)
		}
		plots = append(plots, svg)
	}
	higher := 0.0
	for i := range pairs {
		switch {
		case negScore[i] > posScore[i]:
			higher++
		case negScore[i] == posScore[i]:
			higher += 0.5
		}
	}
	if len(pairs) > 0 {
		textOnly = 100 * higher / float64(len(pairs))
	}
	return plots, textOnly, nil
}

// countWords returns the number of words of a text.
func countWords(text string) float64 { return float64(len(strings.Fields(text))) }
