package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// sign counts the buckets in which duplicates meet and assigns nothing.
type sign struct{ mode string }

func signColumns() []string {
	return []string{schemas.ColText, schemas.ColSource, schemas.ColSourceRow, schemas.ColKey}
}

// Process implements pipeline.Stage.
func (s sign) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, schemas.ColText, schemas.ColSource, schemas.ColKey)
	if err != nil {
		return nil, err
	}
	rows, err := schemas.Column[*array.Int64](in, schemas.ColSourceRow)
	if err != nil {
		return nil, err
	}
	for i := range int(in.NumRows()) {
		curate.Sign(s.mode, columns[0].Value(i), columns[1].Value(i), rows.Value(i), columns[2].Value(i), report.Count)
	}
	in.Retain()
	return in, nil
}

// countVersion names what writes the list of duplicates, where there is one.
func countVersion(mode string) string {
	if mode == curate.DedupeOff {
		return maker
	}
	return curate.Version + " " + maker
}

// tallyVersion names what counts.
func tallyVersion(mode string) string { return tallier + " " + countVersion(mode) }

// repeated are the places of the rows that repeat an earlier one.
type repeated map[string]bool

func newRepeated(env pipeline.Env) (repeated, error) {
	counts, err := env.Counts(folder.Duplicates)
	if err != nil {
		return nil, err
	}
	all := repeated{}
	for c, err := range counts {
		if err != nil {
			return nil, err
		}
		if c.Kind != curate.KindDrop {
			return nil, &usage.Error{Text: "the list of duplicates is of an older capgraph: use that one, or make the list again with --redo " + string(folder.PassCount)}
		}
		all[c.Key] = true
	}
	return all, nil
}

// of tells for each row of a batch whether it repeats an earlier one.
func (r repeated) of(in arrow.Record) (func(row int) bool, error) {
	sources, err := schemas.Column[*array.String](in, schemas.ColSource)
	if err != nil {
		return nil, err
	}
	rows, err := schemas.Column[*array.Int64](in, schemas.ColSourceRow)
	if err != nil {
		return nil, err
	}
	return func(row int) bool {
		return len(r) > 0 && r[curate.Place(sources.Value(row), rows.Value(row))]
	}, nil
}
