package negatives

import (
	"context"
	"slices"
	"testing"

	"capgraph/schemas"
)

// TestReplacementsAreLifted puts what replaces a noun of a sub-graph into a caption that would have no
// negative of itself.
func TestReplacementsAreLifted(t *testing.T) {
	g, parser := publicGenerator(t)
	for caption, want := range map[string]bool{
		"A group of people cross the curved street.":                    true,
		"A commercial airplane with propellers flying through the air.": true,
		"a view": false, // nothing of which is replaced
	} {
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: caption, Captions: []Caption{parseWith(parser, caption)}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(pools[0].Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 }); got != want {
			t.Errorf("%q: a negative of the caption: %v, want %v", caption, got, want)
		}
	}
}
