package negatives

import (
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestReplacementsAreLifted puts what replaces a noun of a sub-graph into a caption that would have no
// negative of itself.
func TestReplacementsAreLifted(t *testing.T) {
	g, parser := publicGenerator(t)
	for caption, want := range map[string]bool{
		"A group of people cross the curved street.": true,
		"a view": false, // nothing of which is replaced
		// A bicycle replaces it with propellers, and a man where it flies: neither fits the caption.
		"A commercial airplane with propellers flying through the air.": false,
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

// TestUnseenPartsAreNotSaid makes no part of what nobody can see.
func TestUnseenPartsAreNotSaid(t *testing.T) {
	g, parser := publicGenerator(t)
	for caption, want := range map[string][]string{
		"a great trade":                 {},
		"the census needing a champion": {"a champion"},
		"a stone well":                  {"a well"}, // of which norms rate the adverb
	} {
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: caption, Captions: []Caption{parseWith(parser, caption)}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		for _, p := range pools[0].Positives[1:] {
			if !slices.Contains(want, strings.TrimPrefix(p.Text, "there is ")) {
				t.Errorf("%q: has %q, want some of %q", caption, p.Text, want)
			}
		}
		if len(pools[0].Positives) == 1 && len(want) > 0 {
			t.Errorf("%q: no part, want some of %q", caption, want)
		}
	}
}
