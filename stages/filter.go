package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/clean/curate"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// filter rejects captions that are not worth training on. It assigns nothing.
type filter struct{ filter *curate.Filter }

// Process implements pipeline.Stage.
func (s filter) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	texts, err := schemas.Column[*array.String](in, schemas.ColText)
	if err != nil {
		return nil, err
	}
	for i := range texts.Len() {
		if reason := s.filter.Check(texts.Value(i)); reason != "" {
			report.Reject(i, reason, "")
		}
	}
	in.Retain()
	return in, nil
}
