package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// TestAmountsAreOfMassesAndPlurals puts no noun in the singular that is counted after "some" and
// quantities with "of".
func TestAmountsAreOfMassesAndPlurals(t *testing.T) {
	rice := slices.Concat(countsOf(vocabulary.Object, "bread", "rice"), countsOf(vocabulary.Usage, "bread\tbare", "rice\tbare"))
	sandwich := slices.Concat(countsOf(vocabulary.Object, "bread", "sandwich"), countsOf(vocabulary.Usage, "bread\tbare", "sandwich\ta", "sandwich\tplural"))
	for text, counted := range map[string]bool{
		"some/DT bread/NN":               false,
		"lots/NNS of/IN bread/NN":        false,
		"a/DT variety/NN of/IN bread/NN": false,
		"the/DT bread/NN":                true,
	} {
		c := tagged(text)
		c.Tokens[0].Lemma = strings.TrimSuffix(c.Tokens[0].Lemma, "s")
		c.Graph.Objects = []schemas.Object{spanned(&c, len(c.Tokens)-1)}
		if got := textsOf(t, with(methods.FillObject), rice, c); !mentions(got, "rice") {
			t.Errorf("%q: %q, no rice", c.Text, got)
		}
		if got := textsOf(t, with(methods.FillObject), sandwich, c); mentions(got, "sandwich") != counted {
			t.Errorf("%q: %q", c.Text, got)
		}
	}
	for quantity, counted := range map[string]bool{"some": false, "a lot of": false, "a variety of": false, "": true} {
		bread := object("bread")
		bread.Quantity = quantity
		c := Caption{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{bread, object("dog")},
			Relations: []schemas.Relation{{Subject: 0, Predicate: "near", Lemma: "near", Object: 1}},
		}}
		if got := textsOf(t, with(methods.ReplaceObject), rice, c); !mentions(got, "rice") {
			t.Errorf("%q: %q, no rice", quantity, got)
		}
		if got := textsOf(t, with(methods.ReplaceObject), sandwich, c); mentions(got, "sandwich") != counted {
			t.Errorf("%q: %q", quantity, got)
		}
	}
}

// TestSingularsThatLookLikePlurals fills "a sheep", which a tagger takes for a plural, by one thing.
func TestSingularsThatLookLikePlurals(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Object, "giraffe", "cow"), countsOf(vocabulary.Usage, "giraffe\ta", "giraffe\tplural", "cow\ta", "cow\tplural"))
	for text, plural := range map[string]bool{
		"a/DT sheep/NNS in/IN grass/NN":          false,
		"a/DT white/JJ sheep/NNS in/IN grass/NN": false,
		"a/DT few/JJ sheep/NNS in/IN grass/NN":   true,
		"two/CD sheep/NNS in/IN grass/NN":        true,
	} {
		c := tagged(text)
		i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Tag == "NNS" })
		c.Tokens[i].Lemma = "sheep"
		c.Graph.Objects = []schemas.Object{spanned(&c, i)}
		got := textsOf(t, with(methods.FillObject), corpus, c)
		if len(got) == 0 {
			t.Errorf("%q: nothing is filled", c.Text)
		}
		for _, s := range got {
			if strings.Contains(s, "giraffes") != plural && strings.Contains(s, "cows") != plural {
				t.Errorf("%q for %q", s, c.Text)
			}
		}
	}
}
