package ruleparse

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed reliability.tsv
var reliabilityFile string

// Reliability counts the objects, attributes or relations whose confidence is in one range of width 0.1, and how many
// of them annotators have in their graphs too.
type Reliability struct {
	Kind      string // object, attribute or relation
	Predicted float64
	Right     float64
	Parts     int
}

// MeasuredReliability returns the reliability of confidences as measured on annotated captions. Neither the parser nor
// its confidence was trained on those. The results are sorted by kind and then by confidence.
func MeasuredReliability() ([]Reliability, error) {
	var bins []Reliability
	for line := range strings.Lines(reliabilityFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var r Reliability
		var tenth int
		if _, err := fmt.Sscan(line, &r.Kind, &tenth, &r.Predicted, &r.Right, &r.Parts); err != nil {
			return nil, fmt.Errorf("reliability.tsv: %q: %w", line, err)
		}
		bins = append(bins, r)
	}
	return bins, nil
}
