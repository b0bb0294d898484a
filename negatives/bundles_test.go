package negatives_test

import (
	"slices"
	"strings"
	"testing"
)

// TestTextsOfLongCaptions has what tells one thing from another in one text: a person with clothes and place, a part with
// its attribute, the main clause with subject, predicate and object, and two sentences about one thing.
func TestTextsOfLongCaptions(t *testing.T) {
	textsOf := newTextMaker(t)
	for _, c := range []struct {
		caption   string
		says, not []string
	}{
		{"A street is lined with trees. A woman in a yellow raincoat stands next to a bus stop. A man wearing a black hat walks a small dog on the left side of the street.",
			[]string{"a woman in a yellow raincoat", "next to a bus stop", "a man in a black hat", "a small dog"}, nil},
		{"A small airplane with a red tail is parked on a runway. Two men stand under its white wings. The sky is grey.",
			[]string{"airplane with a red tail", "airplane with white wings", "A small airplane with a red tail is parked on a runway. Two men stand under its white wings."}, nil},
		{"A kitchen has a wooden table. On the table is a vase with a blue handle. A white flower with a black center stands in it.",
			[]string{"flower with a black center", "vase with a blue handle", "a kitchen with a wooden table"}, nil},
		{"Eight horses gallop towards the camera. A red bus waits at the traffic light. A woman who is wearing a bright yellow raincoat crosses a road.",
			[]string{"Eight horses gallop towards the camera.", "a red bus", "at a traffic light", "a bright yellow raincoat"}, []string{"a raincoat crossing", "a raincoat is crossing", "raincoat is crossing"}},
		{"Bicycles are parked in front of a building. A dog sits beside a door of the building. On the left, a man kneels.",
			[]string{"Bicycles are parked in front of a building.", "On the left, a man kneels."}, nil},
	} {
		texts := textsOf(c.caption)
		has := func(words string) bool {
			return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, words) })
		}
		for _, words := range c.says {
			if !has(words) {
				t.Errorf("%q: %q, want %q", c.caption, texts, words)
			}
		}
		for _, words := range c.not {
			if has(words) {
				t.Errorf("%q: %q, do not want %q", c.caption, texts, words)
			}
		}
	}
}
