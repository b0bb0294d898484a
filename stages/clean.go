package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/clean"
	"capgraph/clean/curate"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// cleanStage assigns text from caption.
type cleanStage struct {
	cleaner *clean.Cleaner
	env     pipeline.Env
}

func newCleanStage(o clean.Options, env pipeline.Env) (pipeline.Stage, error) {
	c, err := clean.New(o)
	if err != nil {
		return nil, err
	}
	return &cleanStage{c, env}, nil
}

// Process implements pipeline.Stage.
func (s *cleanStage) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	captions, err := schemas.Column[*array.String](in, schemas.ColCaption)
	if err != nil {
		return nil, err
	}
	b := array.NewStringBuilder(s.env.Mem)
	defer b.Release()
	for i := range captions.Len() {
		r := s.cleaner.Examine(captions.Value(i))
		if r.Reason != "" {
			report.Reject(i, r.Reason, r.Detail)
		} else if r.Noise != 0 {
			countNoise(r.Noise, report)
		}
		b.Append(r.Text)
	}
	return schemas.Assign(in, []arrow.Field{schemas.Field(schemas.ColText, arrow.BinaryTypes.String)}, []arrow.Array{b.NewArray()}), nil
}

// noisePrefix begins the names of the figures that count captions by the kind of models' noise that
// cleaning removed.
const noisePrefix = "cleaned_"

func countNoise(n clean.Noise, report *pipeline.Report) {
	for i, name := range clean.NoiseNames {
		if n&(1<<i) != 0 {
			report.AddStat(noisePrefix+name, 1)
		}
	}
}

// filterStage rejects rows that are on a list of rows to exclude, and captions that are not worth
// training on. It assigns nothing.
type filterStage struct {
	filter   *curate.Filter
	excluded *curate.Excluded
}

func filterColumns() []string {
	return []string{schemas.ColText, schemas.ColKey, schemas.ColImageKey}
}

// Process implements pipeline.Stage.
func (s filterStage) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
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
