package stages_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/config"
	"capgraph/negatives/methods"
	"capgraph/schemas"
	"capgraph/stages"
)

// example is a caption of a page, and the negative that the page says it has.
type example struct {
	method, caption, negative string
}

// pageExamples reads the first example of README.md, and those of the table of methods in
// docs/negatives.md whose methods are on.
func pageExamples(t *testing.T) (all []example) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?m)^    (.+)\n    (.+)$`).FindStringSubmatch(string(readme))
	all = append(all, example{methods.SwapAdjectives.String(), block[1], block[2]})
	page, err := os.ReadFile("../docs/negatives.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| [^|]*\\| ([^|]+) \\|")
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		if !slices.Contains(config.Defaults().Negatives.Methods, m[1]) {
			continue
		}
		for _, pair := range strings.Split(m[2], "; ") {
			if caption, negative, ok := strings.Cut(pair, " → "); ok {
				all = append(all, example{m[1], caption, negative})
			}
		}
	}
	return all
}

// TestExamplesOfThePages makes what the pages say with the default settings: exchanges with every seed,
// replacements, which are drawn, with some.
func TestExamplesOfThePages(t *testing.T) {
	found := map[example]bool{}
	all := pageExamples(t)
	if len(all) < 14 {
		t.Fatalf("%d examples, want 14 or more", len(all))
	}
	for seed := range 24 {
		if !slices.ContainsFunc(all, func(x example) bool { return !found[x] }) {
			break
		}
		c := config.Defaults()
		c.Seed = uint64(seed)
		maker, err := stages.NewMaker(&c, stages.PublicCounts)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range all {
			if found[x] {
				continue
			}
			exchange := strings.HasPrefix(x.method, "swap_")
			made, _, err := maker.Texts(context.Background(), []stages.Caption{{Text: x.caption, Key: x.caption, ImageKey: x.caption}}, stages.TextColumns())
			if err != nil {
				t.Fatal(err)
			}
			texts := made.Column(made.Schema().FieldIndices(schemas.ColNeg)[0]).(*array.List).ListValues().(*array.String)
			for j := range texts.Len() {
				found[x] = found[x] || texts.Value(j) == x.negative
			}
			made.Release()
			if exchange && !found[x] {
				t.Errorf("example %d: %q has no %q", i+1, x.caption, x.negative)
				found[x] = true
			}
		}
	}
	for _, x := range all {
		if !found[x] {
			t.Errorf("%s: with no seed %q has %q", x.method, x.caption, x.negative)
		}
	}
}
