package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/negatives/vocabulary"
	"capgraph/pipeline"
)

// tallier is the version of what is counted of graphs, and kept of them.
const tallier = "tally/2"

// tally counts what the vocabulary is made of and assigns nothing.
type tally struct{}

// Process implements pipeline.Stage.
func (tally) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	all, err := images(in, nil, false)
	if err != nil {
		return nil, err
	}
	counter := vocabulary.NewCounter()
	for image := range all {
		for i := range image.Captions {
			counter.Count(&image.Captions[i], report.Count)
		}
	}
	in.Retain()
	return in, nil
}
