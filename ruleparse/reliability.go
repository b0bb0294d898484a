package ruleparse

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed reliability.tsv
var reliabilityFile string

// Reliability is how many parts with a confidence of one tenth annotators have in a graph too.
type Reliability struct {
	Kind      string // object, attribute or relation
	Predicted float64
	Right     float64
	Parts     int
}

// MeasuredReliability returns the reliability of the confidence of parts, measured on annotated captions
// that neither the parser nor the confidence was taught on. Kinds follow one after the other, tenths in
// rising order.
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
