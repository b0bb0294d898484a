package negatives

import (
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// TestReplaceQuantity replaces numbers by numbers, and one thing by several where no caption
// tells of more.
func TestReplaceQuantity(t *testing.T) {
	corpus := append(countsOf(vocabulary.Quantity, "two", "three", "four", "some"), grassCounts()...)
	one, two := tagged("a/DT dog/NN barks/VBZ"), tagged("two/CD dogs/NNS bark/VBP")
	one.Graph.Objects, two.Graph.Objects = []schemas.Object{spanned(&one, 1)}, []schemas.Object{spanned(&two, 1)}
	two.Graph.Objects[0].Head, two.Graph.Objects[0].Quantity = "dog", "two"
	for _, c := range []struct {
		captions []Caption
		want     []string
		not      string
	}{
		{[]Caption{two}, []string{"three dogs"}, "some dogs"},
		{[]Caption{one}, []string{"two dogs", "three dogs"}, "one dog"},
		{[]Caption{one, two}, []string{"three dogs"}, "two dogs"},
	} {
		var got []string
		for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
			all, _ := halfTruths(t, corpus, &Image{Key: key, Captions: c.captions}, methods.ReplaceQuantity)
			for _, n := range all {
				got = append(got, n.Text)
				if n.Method != "replace_quantity" || n.Changed != schemas.ChangedAttribute || n.Category != schemas.CategoryObject {
					t.Errorf("%+v", n)
				}
			}
		}
		for _, want := range c.want {
			if !mentions(got, want) {
				t.Errorf("%q: %q, no %s", c.captions[0].Text, got, want)
			}
		}
		if mentions(got, c.not) {
			t.Errorf("%q: %q, with %s", c.captions[0].Text, got, c.not)
		}
	}
	the := tagged("the/DT dog/NN barks/VBZ")
	the.Graph.Objects = []schemas.Object{spanned(&the, 1)}
	if got := textsOf(t, with(methods.ReplaceQuantity), corpus, the); len(got) != 0 {
		t.Errorf("%q of a dog that is not counted", got)
	}
}

// TestFillQuantity is on without the attributes, and they are without it.
func TestFillQuantity(t *testing.T) {
	corpus := append(countsOf(vocabulary.Quantity, "two", "three"), testCounts()...)
	c := tagged("two/CD red/JJ dogs/NNS bark/VBP")
	c.Graph.Objects = []schemas.Object{spanned(&c, 2)}
	if got := textsOf(t, with(methods.FillQuantity), corpus, c); len(got) != 1 || got[0] != "three red dogs bark" {
		t.Errorf("%q", got)
	}
	if got := textsOf(t, with(methods.FillAttribute), corpus, c); mentions(got, "three") {
		t.Errorf("%q", got)
	}
}

// TestSeveralAtOnce has nobody do to several things what is done to one at a time.
func TestSeveralAtOnce(t *testing.T) {
	corpus := append(countsOf(vocabulary.Quantity, "two", "three"), testCounts()...)
	for predicate, several := range map[string]bool{"riding": false, "feeding": true} {
		c := related(tagged("a/DT man/NN "+predicate+"/VBG a/DT horse/NN"), predicate, [2]int{1, 1}, [2]int{4, 4})
		c.Graph.Relations[0].Lemma = strings.TrimSuffix(predicate, "ing")
		var got []string
		for _, key := range strings.Split("abcdefghijklmnop", "") {
			all, _ := halfTruths(t, corpus, &Image{Key: key, Captions: []Caption{c}}, methods.ReplaceQuantity)
			for _, n := range all {
				got = append(got, n.Text)
			}
		}
		if !mentions(got, predicate+" a horse") || mentions(got, predicate+" two horses") != several {
			t.Errorf("%s: %q", predicate, got)
		}
	}
}
