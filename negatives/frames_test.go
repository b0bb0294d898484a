package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// A corpus of titles leaves articles out; other captions say that baskets have one.
func TestArticlesStayInACorpusOfTitles(t *testing.T) {
	w := newTestWords(t, schemas.Count{Kind: vocabulary.Usage, Key: "basket\tbare", N: 9}, schemas.Count{Kind: vocabulary.Usage, Key: "snow\tbare", N: 9})
	if w.Noun("basket").Usage.Mass() {
		t.Error("basket takes no article where titles leave it out")
	}
	if !w.Noun("snow").Usage.Mass() {
		t.Error("snow takes an article")
	}
}

func TestRareCompoundsReplaceNothing(t *testing.T) {
	w := newTestWords(t, schemas.Count{Kind: vocabulary.Object, Key: "city bus", N: 9}, schemas.Count{Kind: vocabulary.Object, Key: "photo bicycle", N: 1}, schemas.Count{Kind: vocabulary.Object, Key: "dining table", N: 1})
	for name, want := range map[string]bool{"city bus": false, "photo bicycle": true, "dining table": false, "bicycle": false} {
		if got := w.IsRareCompound(w.Noun(name)); got != want {
			t.Errorf("%q is a rare compound: %v, want %v", name, got, want)
		}
	}
}

// What a verb or a preposition governs without a relation in the graph is not filled.
func TestGovernedNounsAreNotFilled(t *testing.T) {
	corpus := slices.Concat(countsOf(vocabulary.Object, "guitar", "piano", "violin"), countsOf(vocabulary.Usage, "guitar\ta", "piano\ta", "violin\ta"))
	for text, filled := range map[string]bool{
		"to/TO skip/VB the/DT guitar/NN": false,
		"the/DT guitar/NN":               true,
	} {
		c := tagged(text)
		c.Graph.Objects = []schemas.Object{spanned(&c, len(c.Tokens)-1)}
		if got := textsOf(t, with(methods.FillObject), corpus, c); (len(got) > 0) != filled {
			t.Errorf("%q: %q", c.Text, got)
		}
	}
}

// A word among capitals gets one, though not all words of its caption have.
func TestCapitalsBesideASplice(t *testing.T) {
	var w captionWords
	for text, want := range map[string]string{
		"Northern/NNP Soul/NNP Posters/NNPS for/IN your/PRP$ room/NN": "Northern Soul Stickers for your room",
		"a/DT man/NN in/IN Paris/NNP posters/NNS":                     "a man in Paris stickers",
	} {
		c := tagged(text)
		w.read(newTestWords(t), &c, nil)
		at := slices.IndexFunc(w.lower, func(s string) bool { return s == "posters" })
		if got := string(w.applySplices(nil, []splice{{at, at, "stickers"}})); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A head without another value of a dimension gets one that its kind has, of patterns and shapes; of
// materials none.
func TestAttributesOfAKind(t *testing.T) {
	corpus := slices.Concat(
		countsOf(vocabulary.Attribute, "striped", "floral", "wooden", "leather"),
		countsOf(vocabulary.AttributeOf, "shirt\tstriped", "dress\tfloral", "belt\tleather", "clog\twooden"),
		countsOf(vocabulary.Object, "shirt", "dress", "belt", "clog", "kimono"),
	)
	for attribute, want := range map[string]string{"floral": "striped", "leather": ""} {
		c := Caption{Graph: schemas.SceneGraph{Objects: []schemas.Object{object("poncho", attribute)}}}
		got := textsOf(t, with(methods.ReplaceAttribute), corpus, c)
		if want == "" && len(got) > 0 || want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("a %s poncho: %q, want %q", attribute, got, want)
		}
	}
}
