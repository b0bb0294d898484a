package stages

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"capgraph/clean/curate"
	"capgraph/internal/counts"
	"capgraph/internal/usage"
	"capgraph/schemas"
)

// A list of keys, which an older capgraph wrote, is not taken for one of places:
// no row would be a duplicate.
func TestDedupeRefusesAnOlderList(t *testing.T) {
	table := counts.NewTable()
	table.Add("drop", "00000-000000002", 1)
	_, err := listsNone(func(string) (iter.Seq2[schemas.Count, error], error) {
		return counts.Rows(table.Sorted()), nil
	})
	var usage *usage.Error
	if !errors.As(err, &usage) || !strings.Contains(usage.Text, "--redo count") {
		t.Errorf("error %v", err)
	}
}

func TestRowOf(t *testing.T) {
	for _, row := range []int64{0, 1, 122_880, 1 << 62} {
		if got, err := curate.RowOf(curate.Place("a b/ü.tsv", row)); err != nil || got != row {
			t.Errorf("%d: %d, %v", row, got, err)
		}
	}
	for _, bad := range []string{"", "a.tsv", "a.tsv\x00", "a.tsv\x00x", "00000-000000002"} {
		if _, err := curate.RowOf(bad); err == nil {
			t.Errorf("%q is taken for a place", bad)
		}
	}
}
