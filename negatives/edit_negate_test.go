package negatives

import (
	"slices"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/schemas"
)

// TestNegate denies what is there, or what it does.
func TestNegate(t *testing.T) {
	var got []string
	for _, key := range []string{"a", "b", "c", "d"} {
		all, _ := halfTruths(t, testCounts(), &Image{Key: key, Captions: []Caption{rider()}}, methods.Negate)
		for _, n := range all {
			if n.Method != "negate" || n.Changed != schemas.ChangedNegation {
				t.Errorf("%+v", n)
			}
			got = append(got, n.Text)
		}
	}
	slices.Sort(got)
	want := []string{"a man who is not riding a horse", "there is no horse", "there is no man", "there is no man riding a horse"}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	two := object("men")
	two.Head, two.Quantity = "man", "two"
	if got := textsOf(t, with(methods.Negate), testCounts(), Caption{Text: "Two men.", Graph: schemas.SceneGraph{Objects: []schemas.Object{two}}}); !slices.Equal(got, []string{"There are no men."}) {
		t.Errorf("%q", got)
	}
	if got := textsOf(t, Defaults(), testCounts(), rider()); mentions(got, " no ") || mentions(got, " not ") {
		t.Errorf("%q, though nobody asked", got)
	}
}
