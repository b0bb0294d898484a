package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/clean"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// cleaner assigns text from caption.
type cleaner struct {
	cleaner *clean.Cleaner
	env     pipeline.Env
}

func newClean(o clean.Options, env pipeline.Env) (pipeline.Stage, error) {
	c, err := clean.New(o)
	if err != nil {
		return nil, err
	}
	return &cleaner{c, env}, nil
}

// Process implements pipeline.Stage.
func (s *cleaner) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	captions, err := schemas.Column[*array.String](in, schemas.ColCaption)
	if err != nil {
		return nil, err
	}
	b := array.NewStringBuilder(s.env.Mem)
	defer b.Release()
	for i := range captions.Len() {
		text, reason := s.cleaner.Clean(captions.Value(i))
		if reason != "" {
			report.Reject(i, reason, "")
		}
		b.Append(text)
	}
	return schemas.Assign(in, []arrow.Field{schemas.Field(schemas.ColText, arrow.BinaryTypes.String)}, []arrow.Array{b.NewArray()}), nil
}
