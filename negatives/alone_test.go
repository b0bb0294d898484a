package negatives

import (
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestThingsThatMayBeSeenAlone says which nouns replace each other where nothing more is said of them.
func TestThingsThatMayBeSeenAlone(t *testing.T) {
	g, _ := publicGenerator(t)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"post card", "mouse pad", true},
		{"luggage tag", "arrow", true},
		{"dress", "jacket", true},
		{"post card", "dog", false}, // of another kind
		{"trade", "arrow", false},   // which nobody sees
		{"arrow", "idea", false},
		{"city", "field", false}, // both of which a scene may have
		{"man", "woman", false},
		{"", "arrow", false},
	} {
		if got := areConcreteOfOneKind(g.dict.words.Noun(c.a), g.dict.words.Noun(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestWhatIsOnlyNamedIsNotReplaced replaces nothing of which a caption only says that there is one, no number of what
// nobody counts in a picture, and no "right" that is no side.
func TestWhatIsOnlyNamedIsNotReplaced(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		caption, method, of string
		want                bool
	}{
		{"A politician presses the button.", "replace_object", "a button", false},
		{"a red wallet", "replace_object", "a red wallet", true},
		{"a room with decorations", "replace_object", "a room with decorations", false},
		{"10 of the best cars", "replace_quantity", "", false},
		{"5 tips for owners of dogs", "fill_quantity", "", false},
		{"iPhone 3 cases", "fill_quantity", "", false},
		{"Three dogs are running on the grass.", "fill_quantity", "", true},
		{"A man delivers a letter to the right door.", "reverse_direction", "", false},
		{"A man holds a letter in his right hand.", "reverse_direction", "", true},
		{"Gray Wool Felt with Grosgrain Trim Fedora Hat", "fill_object", "", false},
		{"Leather Wallet Black", "fill_object", "", true},
	} {
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: c.caption, Captions: []Caption{parseWith(parser, c.caption)}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(pools[0].Negatives, func(n schemas.HardNegative) bool {
			changes := c.of == "" || pools[0].Positives[n.Of].Text == c.of
			return n.Method == c.method && changes && !strings.Contains(n.Text, "decorations")
		})
		if got != c.want {
			t.Errorf("%s: %s %v, want %v", c.caption, c.method, got, c.want)
		}
	}
}

// TestLateWordsAreChangedInParts changes what stands late in a long sentence in its parts, which a text encoder reads
// whole, and what stands early in the caption too.
func TestLateWordsAreChangedInParts(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		before int // how many things stand before the dress
		whole  bool
	}{{3, true}, {20, false}} {
		caption := "A man in a park" + strings.Repeat(" with a dog and a cat", c.before) + " and a woman in a red dress"
		var whole, part bool
		late := 0
		drops := Drops{Each: func(d Dropped) {
			if d.Reason == ReasonCap {
				late++
			}
		}}
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: "a", Captions: []Caption{parseWith(parser, caption)}}, pools, &drops); err != nil {
			t.Fatal(err)
		}
		for _, n := range pools[0].Negatives {
			if !strings.Contains(n.Text, "red") && n.Changed == schemas.ChangedAttribute {
				whole, part = whole || n.Of == 0, part || n.Of > 0
			}
		}
		if whole != c.whole || !part || c.whole == (late > 0) {
			t.Errorf("%d things before: the caption %v, a part %v, %d late", c.before, whole, part, late)
		}
	}
}
