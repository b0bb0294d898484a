package ruleparse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// coordinationForms are sentences of two or three coordinated objects, each with a phrase of its
// own, and of what looks like them. Words stand for {1}, {2} …; the relations follow, as "subject
// lemma object".
var coordinationForms = []struct{ text, want string }{
	{"a {1} with a {2} and a {3} with an {4}", "{1} with {2}, {3} with {4}"},
	{"a {1} with a {2} and a {3} with an {4} sitting on a bench", "{1} with {2}, {3} with {4}, {1} sit on bench, {3} sit on bench"},
	{"the {1} with the {2} and the {3} with the {4}", "{1} with {2}, {3} with {4}"},
	{"a {1} with a {2} to the left of a {3} with an {4}", "{1} with {2}, {1} to the left of {3}, {3} with {4}"},
	{"a {1} with a {2} to the right of a {3} with an {4}", "{1} with {2}, {1} to the right of {3}, {3} with {4}"},
	{"a {1} with a {2} next to a {3} with an {4}", "{1} with {2}, {1} next to {3}, {3} with {4}"},
	{"a {1} with a {2} behind a {3} with an {4}", "{1} with {2}, {1} behind {3}, {3} with {4}"},
	{"a {1} with a {2} in front of a {3} with an {4}", "{1} with {2}, {1} in front of {3}, {3} with {4}"},
	{"a {1} holding a {2} and a {3} holding an {4}", "{1} hold {2}, {3} hold {4}"},
	{"a {1} holding a {2} and a {3} carrying an {4}", "{1} hold {2}, {3} carry {4}"},
	{"a {1} with a {2} and a {3} holding an {4}", "{1} with {2}, {3} hold {4}"},
	{"a {1} who is holding a {2} and a {3} who is carrying an {4}", "{1} hold {2}, {3} carry {4}"},
	{"a {1} with a {2} and two {3}s with {4}s", "{1} with {2}, {3}s with {4}s"},
	{"a photo of a {1} with a {2} and a {3} with an {4}", "photo of {1}, photo of {3}, {1} with {2}, {3} with {4}"},
	{"a {1} with a {2}, a {3} with an {4} and a child with a ball", "{1} with {2}, {3} with {4}, child with ball"},
	// What stays as it is: one object has both.
	{"a {1} with a {2} and an {4}", "{1} with {2}, {1} with {4}"},
	{"a {1} holding a {2} and an {4}", "{1} hold {2}, {1} hold {4}"},
	{"a {1} and a {3} with {4}s", "{1} with {4}s, {3} with {4}s"},
	{"a {1} with a {2} on a beach", "{1} with {2}, {1} on beach"},
	{"a {1} with a {2} next to a car", "{1} with {2}, {1} next to car"},
}

var coordinationWords = [][4]string{
	{"man", "hat", "girl", "umbrella"},
	{"boy", "kite", "nurse", "apple"},
	{"farmer", "bag", "student", "orange"},
	{"lady", "camera", "guy", "umbrella"},
	{"teacher", "phone", "boy", "egg"},
}

func TestCoordinatedPhrases(t *testing.T) {
	p := newParser(t)
	for _, form := range coordinationForms {
		for _, w := range coordinationWords {
			fill := strings.NewReplacer("{1}", w[0], "{2}", w[1], "{3}", w[2], "{4}", w[3])
			compareRelations(t, p, fill.Replace(form.text), fill.Replace(form.want))
		}
	}
}

func TestCoordinatedThings(t *testing.T) {
	p := newParser(t)
	for _, c := range []struct{ text, want string }{
		{"a plate with a sandwich and a pickle", "plate with sandwich, plate with pickle"},
		{"a cake with strawberries and a glass of milk on a table", "cake with strawberries, glass of milk, glass on table"},
		{"a kitchen with a stove and a window with curtains", "kitchen with stove, kitchen with window, window with curtains"},
		{"a red car with a spoiler and a blue truck with a ladder", "car with spoiler, truck with ladder"},
		{"a sandwich with lettuce and a bowl with soup", "sandwich with lettuce, bowl with soup"},
		{"a dog on a leash and a cat in a basket", "dog on leash, cat in basket"},
		{"a man in a suit and a woman in a dress are standing on a stage", "man in suit, woman in dress, man stand on stage, woman stand on stage"},
		{"a horse with a saddle and a cow with a bell stand in a field", "horse with saddle, cow with bell, horse stand in field, cow stand in field"},
		{"a cat with a collar and a dog with a bone lying on a rug", "cat with collar, dog with bone, cat lie on rug, dog lie on rug"},
		{"a woman with dark skin and a man with light skin holding hands", "woman with skin, man with skin, woman hold hands, man hold hands"},
	} {
		compareRelations(t, p, c.text, c.want)
	}
}

func TestAttributesOfCoordinatedPhrases(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	p.ParseText("a man with a hat and a woman with a bag walking", &out)
	for _, o := range out.Graph.Objects {
		walks := slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return a.Text == "walking" })
		if person := o.Name == "man" || o.Name == "woman"; walks != person {
			t.Errorf("%s walks: %v, want %v", o.Name, walks, person)
		}
	}
}

// compareRelations compares the relations of a text, in any order.
func compareRelations(t *testing.T, p *Parser, text, want string) {
	t.Helper()
	var out schemas.Parsed
	p.ParseText(text, &out)
	var got []string
	for _, r := range out.Graph.Relations {
		got = append(got, fmt.Sprintf("%s %s %s", out.Graph.Objects[r.Subject].Name, r.Lemma, out.Graph.Objects[r.Object].Name))
	}
	wanted := strings.Split(want, ", ")
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("%q:\n got  %s\n want %s", text, strings.Join(got, ", "), strings.Join(wanted, ", "))
	}
}

func TestSharedPredicates(t *testing.T) {
	compare(t, []construction{
		{"several subjects", "a man and a woman are tall", "man[;tall] woman[;tall]"},
		{"action of several", "a boy and a girl running", "boy[;running] girl[;running]"},
		{"relative clause after several", "cups and plates that are red", "cups[;red] plates[;red]"},
		{"second quality", "the apples are healthy and cheap", "apples[;healthy,;cheap]"},
		{"pronoun at the end", "a man holds a cake and a woman looks at it", "man cake woman | man holds/hold cake, woman looks at/look at cake"},
		{"pronoun at the end, another clause", "a boy throws a ball and a dog catches it", "boy ball dog | boy throws/throw ball, dog catches/catch ball"},
		{"of an animal alone", "a man and a dog on a leash", "man dog leash | dog on/on leash"},
		{"clause that ends before while", "a dog sits while a man reads", "dog[;sits] man[;reads]"},
		{"two of one name", "one zebra grazing and one staring", "zebra×one[;grazing] one[;staring]"},
		{"each other", "a man and a woman standing next to each other", "man woman | man standing next to/stand next to woman"},
	})
}

func TestRelationsGrowWithTheText(t *testing.T) {
	p := newParser(t)
	for _, phrase := range []string{"a dog near a cat and ", "a man riding a horse, ", "a man with a hat and a woman with a bag, ", "a boy and a girl and ", "cats sitting on a mat next to "} {
		var short, long schemas.Parsed
		p.ParseText(strings.Repeat(phrase, 40)+"a mat", &short)
		p.ParseText(strings.Repeat(phrase, 400)+"a mat", &long)
		if a, b := len(short.Graph.Relations), len(long.Graph.Relations); b > 15*a+15 {
			t.Errorf("%s: %d relations of 40 times, %d of 400 times", phrase, a, b)
		}
	}
}
