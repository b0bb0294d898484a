package config

import (
	"reflect"
	"strings"
	"testing"

	"capgraph/sources"
)

// TestAWrittenRecipeIsTheDefaultsOverThatSource reads what Write wrote.
func TestAWrittenRecipeIsTheDefaultsOverThatSource(t *testing.T) {
	for _, from := range []sources.Options{
		{Format: "karpathy", Paths: []string{"dataset_coco.json"}},
		{Format: "parquet", Paths: []string{"data/*.parquet", "it's: a #file.parquet"}, Columns: map[string][]string{"caption": {"TEXT"}, "image": {"the: URL"}}},
		{Format: "cc12m", Paths: []string{"*.tsv"}},
		{Format: "cc3m", Paths: []string{"{a,b}\n- c: 'é.tsv"}},
		{Format: "jsonl", Paths: []string{"007"}, Columns: map[string][]string{"caption": {"3.10"}}},
	} {
		text, err := Write("# head\n", from, "cc-by-sa-4.0", "out/a: b")
		if err != nil {
			t.Fatal(err)
		}
		c, err := load(t, text)
		if err != nil {
			t.Errorf("%+v: %v\n%s", from, err, text)
			continue
		}
		want := Defaults()
		want.Source.Options, want.Source.Licence, want.Output.Dir = from, "cc-by-sa-4.0", "out/a: b"
		if !reflect.DeepEqual(*c, want) {
			t.Errorf("got\n%+v, want\n%+v", *c, want)
		}
		if !strings.HasPrefix(text, "# head\n\nseed:") || strings.Contains(text, "sample corpus") {
			t.Errorf("it begins with %q", text[:200])
		}
	}
}

// TestARecipeNeedsNoFile sets all that has no default.
func TestARecipeNeedsNoFile(t *testing.T) {
	c, err := Load("", []string{"source.format=cc12m", "source.paths=a.tsv", "output.dir=out"})
	if err != nil || c.Source.Paths[0] != "a.tsv" || c.Output.Dir != "out" || c.Seed != Defaults().Seed {
		t.Errorf("got %+v, %v", c, err)
	}
	for missing, sets := range map[string][]string{
		"source.paths":  {"source.format=cc12m", "output.dir=out"},
		"source.format": {"source.paths=a.tsv", "output.dir=out"},
		"output.dir":    {"source.format=cc12m", "source.paths=a.tsv"},
	} {
		if _, err := Load("", sets); err == nil || !strings.HasPrefix(err.Error(), missing+": ") || !strings.Contains(err.Error(), "there is no pipeline.yaml, and no --set of it") {
			t.Errorf("%s: %v", missing, err)
		}
	}
}
