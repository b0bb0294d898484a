package stages

import (
	"errors"
	"iter"
	"strings"
	"testing"

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
