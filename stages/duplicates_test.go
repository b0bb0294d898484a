package stages

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"capgraph/clean/curate"
	"capgraph/internal/counts"
	"capgraph/internal/usage"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// A list of keys, which an older capgraph wrote, is not taken for one of places:
// no row would be a duplicate.
func TestDedupeRefusesAnOlderList(t *testing.T) {
	table := counts.NewTable()
	table.Add("drop", "00000-000000002", 1)
	env := pipeline.Env{Counts: func(string) (iter.Seq2[schemas.Count, error], error) {
		return counts.Rows(table.Sorted()), nil
	}}
	_, err := newRepeated(env)
	var usage *usage.Error
	if !errors.As(err, &usage) || !strings.Contains(usage.Text, "--redo count") {
		t.Errorf("error %v", err)
	}
}

// A merge that is stopped at a bucket of duplicates says so.
func TestWithoutDuplicatesKeepsErrors(t *testing.T) {
	stopped := func(yield func(schemas.Count, error) bool) {
		if yield(schemas.Count{Kind: curate.KindDuplicate}, nil) {
			yield(schemas.Count{Kind: curate.KindDuplicate}, context.Canceled)
		}
	}
	var got []error
	for _, err := range withoutDuplicates(stopped) {
		got = append(got, err)
	}
	if len(got) != 1 || !errors.Is(got[0], context.Canceled) {
		t.Errorf("errors %v", got)
	}
}
