package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/clean/curate"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// filter rejects rows that a list names and captions that are not worth training
// on. It assigns nothing.
type filter struct {
	filter   *curate.Filter
	excluded *curate.Excluded
}

func filterColumns() []string {
	return []string{schemas.ColText, schemas.ColKey, schemas.ColImageKey}
}

// Process implements pipeline.Stage.
func (s filter) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, filterColumns()...)
	if err != nil {
		return nil, err
	}
	texts, keys, images := columns[0], columns[1], columns[2]
	for i := range texts.Len() {
		reason := curate.ReasonExcluded
		if !s.excluded.Has(keys.Value(i), images.Value(i)) {
			reason = s.filter.Check(texts.Value(i))
		}
		if reason != "" {
			report.Reject(i, reason, "")
		}
	}
	in.Retain()
	return in, nil
}
