package negatives

import (
	"context"
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
		if got := mayBothBeSeen(g.dict.words.Noun(c.a), g.dict.words.Noun(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestLateWordsAreChangedInParts changes what stands late in a long sentence in its parts, which a text encoder reads whole,
// and what stands early in the caption too.
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
