package stages

import (
	"testing"

	"capgraph/clean/curate"
)

func TestRowOf(t *testing.T) {
	for _, row := range []int64{0, 1, 122_880, 1 << 62} {
		if got, err := curate.PlaceRow(curate.Place("a b/ü.tsv", row)); err != nil || got != row {
			t.Errorf("%d: %d, %v", row, got, err)
		}
	}
	for _, bad := range []string{"", "a.tsv", "a.tsv\x00", "a.tsv\x00x", "00000-000000002"} {
		if _, err := curate.PlaceRow(bad); err == nil {
			t.Errorf("%q is taken for a place", bad)
		}
	}
}
