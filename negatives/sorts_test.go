package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// shop is a corpus of products.
func shop() []schemas.Count {
	return slices.Concat(
		countsOf(vocabulary.Object, "wallet", "backpack", "shirt", "travel backpack", "bench", "lion"),
		countsOf(vocabulary.Usage, "wallet\ta", "wallet\tplural", "backpack\ta", "backpack\tplural", "travel backpack\ta", "shirt\ta", "bench\ta", "lion\ta"),
		countsOf(vocabulary.Attribute, "leather", "black", "denim", "red"),
		countsOf(vocabulary.AttributeOf, "wallet\tleather", "wallet\tblack", "wallet\tgiancarlo", "backpack\tdenim", "backpack\tred"),
	)
}

// product is a caption of one thing, which token i names, with the words at others as attributes.
func product(text string, i int, attributes ...int) Caption {
	c := tagged(text)
	o := spanned(&c, i)
	o.Name, o.Head = strings.ToLower(o.Name), c.Tokens[i].Lemma
	for _, a := range attributes {
		t := &c.Tokens[a]
		o.Attributes = append(o.Attributes, schemas.Attribute{Text: strings.ToLower(c.Text[t.Begin:t.End]), Form: schemas.Pre, Begin: t.Begin, End: t.End})
	}
	c.Graph.Objects = []schemas.Object{o}
	return c
}

// TestProducts puts a thing of the same sort in the place of one, as the title spells it.
func TestProducts(t *testing.T) {
	for _, c := range []struct {
		caption Caption
		want    []string
	}{
		{product("Leather/NNP Wallet/NNP Black/NNP", 1, 0, 2), []string{"Leather Backpack Black", "Leather Travel Backpack Black"}},
		{product("LEATHER/NN WALLET/NN", 1, 0), []string{"LEATHER BACKPACK", "LEATHER TRAVEL BACKPACK"}},
		{product("Giancarlo/NNP Mens/NNS Wallets/NNS in/IN Black/NNP", 2, 0), []string{"Giancarlo Mens Backpacks in Black", "Giancarlo Mens Travel Backpacks in Black"}},
		{product("leather/NN wallet/NN", 1, 0), []string{"leather backpack", "leather travel backpack"}},
		{product("Wallet/NN", 0), []string{"Backpack", "Travel backpack"}},
		{product("a/DT travel/NN backpack/NN", 2), []string{"a travel wallet"}},
	} {
		got := textsOf(t, with(methods.FillObject), shop(), c.caption)
		if len(got) == 0 || slices.ContainsFunc(got, func(text string) bool { return !slices.Contains(c.want, text) }) {
			t.Errorf("%q: %q, want %q", c.caption.Text, got, c.want)
		}
	}
}

// TestOneObject replaces the object of a sub-graph that has no other, and keeps what is said of it.
func TestOneObject(t *testing.T) {
	c := Caption{Text: "that is mine", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("wallet", "leather")}}}
	g, err := New(with(methods.ReplaceObject), testVocabulary(t, shop()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(t.Context(), &Image{Key: "i", Captions: []Caption{c}}, pools, &Drops{}); err != nil {
		t.Fatal(err)
	}
	if len(pools[0].Negatives) == 0 {
		t.Fatal("no negatives")
	}
	for _, n := range pools[0].Negatives {
		if !strings.Contains(n.Text, "backpack") || strings.Contains(pools[0].Positives[n.Of].Text, "leather") != strings.Contains(n.Text, "leather") {
			t.Errorf("%q for %q", n.Text, pools[0].Positives[n.Of].Text)
		}
		if n.Category != schemas.CategoryObject || n.Changed != schemas.ChangedObject {
			t.Errorf("%q has the category %s and changes %s", n.Text, n.Category, n.Changed)
		}
	}
}

// TestAttributesOfASort takes those of other things of the sort where the corpus has none of the thing itself.
func TestAttributesOfASort(t *testing.T) {
	got := textsOf(t, with(methods.ReplaceAttribute), shop(), Caption{Text: "mine", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("wallet", "leather")}}})
	if len(got) == 0 || slices.ContainsFunc(got, func(text string) bool { return !strings.Contains(text, "denim") }) {
		t.Errorf("%q, want it of denim", got)
	}
	if got := textsOf(t, with(methods.ReplaceAttribute), shop(), Caption{Text: "mine", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("bench", "leather")}}}); len(got) > 0 {
		t.Errorf("%q of a bench, of whose sort the corpus has no material", got)
	}
}

// TestSortsOfPeople tells players apart, and nobody from a player.
func TestSortsOfPeople(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"football player", "basketball player", false},
		{"american football player", "tennis player", false},
		{"football player", "player", true},
		{"football player", "person", true},
		{"football player", "american football player", true},
		{"football player", "man", true},
		{"chef", "soldier", false},
	} {
		if got := words.SameThing(w.Noun(c.a), w.Noun(c.b)); got != c.want {
			t.Errorf("a %s may be a %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestImplementsReplaceEachOther replaces a container of which nothing else is said by other containers,
// not by devices or materials.
func TestImplementsReplaceEachOther(t *testing.T) {
	counts := slices.Concat(
		countsOf(vocabulary.Object, "messenger bag", "crate", "bucket", "thermometer", "fan", "marble", "velvet"),
		countsOf(vocabulary.Usage, "messenger bag\ta", "crate\ta", "bucket\ta", "thermometer\ta", "fan\ta", "marble\tbare", "velvet\tbare"),
	)
	c := Caption{Key: "a", Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("messenger bag")}}}
	got := textsOf(t, with(methods.ReplaceObject), counts, c)
	if !slices.Contains(got, "a crate") && !slices.Contains(got, "a bucket") {
		t.Errorf("no container in %q", got)
	}
	for _, s := range got {
		for _, other := range []string{"thermometer", "fan", "marble", "velvet"} {
			if strings.Contains(s, other) {
				t.Errorf("%q for a messenger bag", s)
			}
		}
	}
}
