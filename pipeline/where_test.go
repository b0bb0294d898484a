package pipeline

import (
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/sources"
)

// Conditions that are not given are those of the format, and none if they are
// given as {}: the plans differ where the two do, and only there.
func TestPlanOfConditions(t *testing.T) {
	plan := func(format string, where map[string]string) *folder.PassPlan {
		t.Helper()
		c := &Corpus{Options: sources.Options{Format: format, Where: where}}
		p, err := folder.NewPlan(folder.PassIndex, "", "", c.indexSettings(Output{}, c.Names))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	none := map[string]string{}
	if a, b := plan("parquet", nil), plan("parquet", none); a.Hash() != b.Hash() {
		t.Errorf("parquet: %s and %s", a.Settings, b.Settings)
	}
	byDefault, all := plan("img2dataset", nil), plan("img2dataset", none)
	if diffs := folder.ListChanges(byDefault, all); byDefault.Hash() == all.Hash() || len(diffs) != 1 || !strings.Contains(diffs[0], "all rows") {
		t.Errorf("img2dataset differs in %q", diffs)
	}
	// As it was written before the two were told apart.
	if !strings.Contains(string(byDefault.Settings), `"source.where":{}`) {
		t.Errorf("img2dataset has %s", byDefault.Settings)
	}
}
