package report

import (
	"strings"
	"testing"

	"capgraph/folder"
)

func TestVerdictOnPartsThatAreNotChanged(t *testing.T) {
	for _, c := range []struct {
		bare, unchanged int64
		want            []string
	}{
		{bare: 3, unchanged: 10},
		{bare: 4, unchanged: 10, want: []string{"40.0 % of the images"}},
		{bare: 0, unchanged: 11, want: []string{"55.0 % of the attributes"}},
		{bare: 10, unchanged: 20, want: []string{"100.0 % of the images", "100.0 % of the attributes"}},
	} {
		x := totals{state: &folder.State{Index: &folder.Index{}}, parse: &folder.Account{}, texts: &folder.Account{}}
		x.texts.Stats = map[string]int64{"images": 10, "images_without_part": c.bare, "attributes": 20, "attributes_unchanged": c.unchanged}
		got := x.verdict().Problems
		if len(got) != len(c.want) {
			t.Errorf("%d bare, %d unchanged: %q, want %q", c.bare, c.unchanged, got, c.want)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) {
				t.Errorf("%q, want %q", got[i], c.want[i])
			}
		}
	}
}
