package ruleparse

import (
	"strings"
	"testing"
)

// What is said of a thing is not said of its possessor.
func TestPossessors(t *testing.T) {
	p := newParser(t)
	forms := []struct{ text, want string }{
		{"the {1}'s {2} lies on the table", "{1} have {2}, {2} lie on table"},
		{"the {1}'s {2} is on a bench", "{1} have {2}, {2} on bench"},
		{"a {1}'s {2} standing next to a tree", "{1} have {2}, {2} stand next to tree"},
		{"the {1}'s {2} in front of a house", "{1} have {2}, {2} in front of house"},
		{"a clown holding a {1}'s {2}", "{1} have {2}, clown hold {2}"},
		{"a clown is looking at the {1}'s {2}", "{1} have {2}, clown look at {2}"},
		{"a cat behind the {1}'s {2}", "{1} have {2}, cat behind {2}"},
		{"the {1}'s red {2} is behind a car", "{1} have {2}, {2} behind car"},
	}
	for _, form := range forms {
		for _, w := range [][2]string{{"boy", "kite"}, {"girl", "bike"}, {"farmer", "umbrella"}, {"woman", "suitcase"}, {"dog", "bowl"}} {
			fill := strings.NewReplacer("{1}", w[0], "{2}", w[1])
			compareRelations(t, p, fill.Replace(form.text), fill.Replace(form.want))
		}
	}
	// What stays: "'s" for "is" or a plural, and what the owner of a hand does.
	for text, want := range map[string]string{
		"a woman's hand holding a banana":       "woman have hand, woman hold banana",
		"two giraffe's in a zoo":                "giraffe in zoo",
		"a group of zebra's running in a field": "zebra run in field",
		"a man and his son's dog on a beach":    "man have son, son have dog, dog on beach",
	} {
		compareRelations(t, p, text, want)
	}
}

// A pronoun whose referent is unknown is no object.
func TestPronounsWithoutReferent(t *testing.T) {
	var forms []construction
	for _, pronoun := range []string{"they are", "she is", "he is", "it is"} {
		for _, c := range [][2]string{
			{"in a park", "park"},
			{"riding a horse", "horse"},
			{"next to a red car", "car[red]"},
			{"happy", ""},
			{"holding a bag on a street", "bag street | bag on/on street"},
		} {
			forms = append(forms, construction{"pronoun", pronoun + " " + c[0], c[1]})
		}
	}
	forms = append(forms,
		construction{"one that has a referent", "A man sits on a bench. He is holding a cup.", "man bench cup | man sits on/sit on bench, man is holding/hold cup"},
		construction{"one that has a referent in the sentence", "a girl smiles while she is holding a cup", "girl[;smiles] cup | girl is holding/hold cup"})
	compare(t, forms)
}
