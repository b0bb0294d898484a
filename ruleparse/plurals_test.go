package ruleparse

import (
	"strings"
	"testing"
)

// Two subjects do what the verb says, also if it could be a noun.
func TestPluralVerbsOfTwoSubjects(t *testing.T) {
	p := newParser(t)
	subjects := []struct{ text, first, second string }{
		{"a boy and his dog", "boy", "dog"},
		{"a woman and a horse", "woman", "horse"},
		{"a father and son", "father", "son"},
		{"a girl and her cat", "girl", "cat"},
		{"the man and the woman", "man", "woman"},
		{"a cow and another cow", "cow", "cow"},
	}
	for _, s := range subjects {
		for text, want := range map[string]string{
			"run past a shop":      "{1} run past shop, {2} run past shop",
			"walk along a beach":   "{1} walk along beach, {2} walk along beach",
			"stand near a truck":   "{1} stand near truck, {2} stand near truck",
			"play in the grass":    "{1} play in grass, {2} play in grass",
			"rest on a bed":        "{1} rest on bed, {2} rest on bed",
			"jump over a fence":    "{1} jump over fence, {2} jump over fence",
			"look at a ball":       "{1} look at ball, {2} look at ball",
			"race across a bridge": "{1} race across bridge, {2} race across bridge",
		} {
			want = strings.NewReplacer("{1}", s.first, "{2}", s.second).Replace(want)
			if strings.Contains(s.text, " his ") || strings.Contains(s.text, " her ") {
				want = s.first + " have " + s.second + ", " + want
			}
			compareRelations(t, p, s.text+" "+text, want)
		}
	}
	// What stays a noun.
	for text, want := range map[string]string{
		"a man and his dog house":               "man have dog house",
		"a woman and her horse cart on a road":  "woman have horse cart, horse cart on road",
		"a desk with a lamp and a coffee table": "desk with lamp, desk with coffee table",
		"a man with a hat and a dress shirt":    "man with hat, man with dress shirt",
	} {
		compareRelations(t, p, text, want)
	}
}
