package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// halfTruths gives the negatives of images with one caption, by methods, with the positive that each is of.
func halfTruths(t *testing.T, corpus []schemas.Count, img *Image, methods ...methods.Method) (all []schemas.HardNegative, of []string) {
	t.Helper()
	g, err := New(with(methods...), testVocabulary(t, corpus...), 7)
	if err != nil {
		t.Fatal(err)
	}
	pools := make([]schemas.Pool, len(img.Captions))
	if err := g.Texts(t.Context(), img, pools, &Drops{}); err != nil {
		t.Fatal(err)
	}
	for i := range pools {
		for _, n := range pools[i].Negatives {
			all, of = append(all, n), append(of, pools[i].Positives[n.Of].Text)
		}
	}
	return all, of
}

// addition is what a text has more than another of which it has all words in their order.
func addition(short, long string) (added string, all bool) {
	have := strings.Fields(short)
	var more []string
	for _, word := range strings.Fields(long) {
		if len(have) > 0 && word == have[0] {
			have = have[1:]
		} else {
			more = append(more, word)
		}
	}
	return strings.Join(more, " "), len(have) == 0
}

// TestAddAttribute adds to what leaves the colour of a bus unsaid another than it has.
func TestAddAttribute(t *testing.T) {
	bus := func(text string, attributes ...string) Caption {
		return Caption{Text: text, Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object("man"), object("bus", attributes...)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "riding", Lemma: "ride", Object: 1}},
		}}
	}
	found := map[string]bool{}
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		all, of := halfTruths(t, testCounts(), &Image{Key: key, Captions: []Caption{bus("here a man rides a red bus", "red")}}, methods.AddAttribute)
		for i, n := range all {
			added, ok := addition(of[i], n.Text)
			if !ok || added != "blue" && added != "green" && added != "that is blue" && added != "that is green" || strings.Contains(of[i], "red") {
				t.Errorf("%q of %q adds %q", n.Text, of[i], added)
			}
			if n.Of == 0 || n.Method != "add_attribute" || n.Changed != schemas.ChangedAttribute || len(strings.Fields(n.Truth)) != len(strings.Fields(n.Text)) || !strings.Contains(n.Truth, "red") {
				t.Errorf("%+v", n)
			}
			if category := map[bool]string{true: schemas.CategoryAttribute, false: schemas.CategoryObject}[strings.Contains(of[i], "riding")]; n.Category != category {
				t.Errorf("%q is of the category %s, want %s", n.Text, n.Category, category)
			}
			found[n.Category] = true
		}
	}
	if len(found) != 2 {
		t.Errorf("half-truths of %v, want of one object and of a relation", found)
	}
	for name, others := range map[string][]Caption{
		"nothing is left unsaid":     {bus("a man riding a bus")},
		"there may be another bus":   {bus("here a man rides a red bus", "red"), {Text: "several buses", Graph: schemas.SceneGraph{Objects: []schemas.Object{{Name: "buses", Head: "bus", Begin: -1, End: -1}}}}},
		"a caption says the colours": {bus("here a man rides a red bus", "red"), bus("a blue, green bus", "blue", "green")},
	} {
		all, _ := halfTruths(t, testCounts(), &Image{Key: "a", Captions: others}, methods.AddAttribute)
		for _, n := range all {
			if !strings.Contains(n.Text, "red") { // which is wrong of none but the last
				t.Errorf("%s: %q", name, n.Text)
			}
		}
	}
}

// dogOnGrass is of a dog that does something on grass.
func dogOnGrass(predicate, lemma string) Caption {
	return Caption{Text: "look, what a dog", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("dog"), object("grass")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: predicate, Lemma: lemma, Object: 1}},
	}}
}

func grassCounts() []schemas.Count {
	return slices.Concat(
		countsOf(vocabulary.Object, "dog", "cat", "man", "bird", "grass", "tree", "fence", "frisbee"), countsOf(vocabulary.Usage, "dog\ta", "cat\ta", "man\ta", "bird\ta", "tree\ta", "fence\ta", "dog\tplural"),
		countsOf(vocabulary.SubjectOf, "on\tcat", "on\tdog", "on\tman", "on\tbird", "on\ttree", "on\tfence"),
		countsOf(vocabulary.Between, "cat\tgrass\ton", "dog\tgrass\ton", "bird\tgrass\ton", "man\tgrass\ton", "tree\tgrass\ton", "fence\tgrass\ton", "cat\tdog\tnear", "bird\tdog\tnear"),
	)
}

// TestAddObject puts a cat beside a dog, but nothing that captions leave out.
func TestAddObject(t *testing.T) {
	all, of := halfTruths(t, grassCounts(), &Image{Key: "i", Captions: []Caption{dogOnGrass("on", "on")}}, methods.AddObject)
	if len(all) != 1 {
		t.Fatalf("%+v, want one", all)
	}
	for i, n := range all {
		added, _ := addition(strings.Replace(of[i], " is ", " are ", 1), n.Text)
		if added != "and a cat" || n.Of == 0 || n.Changed != schemas.ChangedObject || n.Category != schemas.CategoryRelation || !strings.Contains(n.Truth, "a dog and a dog") {
			t.Errorf("%q of %q: %+v", n.Text, of[i], n)
		}
	}
	cat := Caption{Text: "a cat", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("cat")}}}
	if all, _ := halfTruths(t, grassCounts(), &Image{Key: "i", Captions: []Caption{dogOnGrass("on", "on"), cat}}, methods.AddObject); len(all) != 0 {
		t.Errorf("%+v, and there is a cat", all)
	}
}

// TestAddRelation has a dog that sleeps do something else, and one of which no caption says what it does
// do nothing.
func TestAddRelation(t *testing.T) {
	corpus := slices.Concat(grassCounts(),
		countsOf(vocabulary.ObjectOf, "catching\tfrisbee"), countsOf(vocabulary.SubjectOf, "catching\tdog"),
		countsOf(vocabulary.Usage, "frisbee\ta"), countsOf(vocabulary.Between, "dog\tfrisbee\tcatching", "man\tfrisbee\tcatching"),
	)
	corpus = slices.DeleteFunc(corpus, func(c schemas.Count) bool { return c.Kind == vocabulary.SubjectOf && strings.HasPrefix(c.Key, "on\t") })
	all, of := halfTruths(t, corpus, &Image{Key: "i", Captions: []Caption{dogOnGrass("sleeping on", "sleep")}}, methods.AddRelation)
	if len(all) != 1 {
		t.Fatalf("%+v, want one", all)
	}
	n := all[0]
	if added, ok := addition(of[0], n.Text); !ok || added != "catching a frisbee" || n.Changed != schemas.ChangedRelation || n.Category != schemas.CategoryRelation || !strings.HasSuffix(n.Truth, "sleeping on grass") {
		t.Errorf("%q of %q: %+v", n.Text, of[0], n)
	}
	for _, c := range []Caption{dogOnGrass("on", "on"), dogOnGrass("chasing", "chase")} { // who catches may chase
		if all, _ := halfTruths(t, corpus, &Image{Key: "i", Captions: []Caption{c}}, methods.AddRelation); len(all) != 0 {
			t.Errorf("%+v", all)
		}
	}
}
