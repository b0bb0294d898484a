package negatives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/vocabulary"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// namedPlaces are a corpus that has a dog in parks, gardens and cities with names.
func namedPlaces() []schemas.Count {
	return slices.Concat(
		countsOf(vocabulary.Object, "dog", "cat", "park", "garden", "paris", "zürich", "grattan bridge"),
		countsOf(vocabulary.Usage, "dog\ta", "cat\ta", "park\ta", "garden\ta", "bridge\ta", "grattan bridge\ta"),
		countsOf(vocabulary.ObjectOf, "in\tpark", "in\tgarden", "in\tparis", "in\tzürich", "in\tgrattan bridge"),
		countsOf(vocabulary.SubjectOf, "in\tdog", "in\tcat", "in\tobama"),
		countsOf(vocabulary.Between, "dog\tpark\tin", "dog\tgarden\tin", "dog\tparis\tin", "dog\tbridge\tin", "cat\tpark\tin", "cat\tparis\tin", "cat\tgarden\tin"),
	)
}

// TestNamesStay replaces no name by a thing, and no thing by a name.
func TestNamesStay(t *testing.T) {
	for caption, name := range map[string]string{
		"a/DT dog/NN in/IN Paris/NNP":        "Paris",
		"a/DT dog/NN in/IN paris/NN":         "paris", // as the lexicon knows
		"a/DT dog/NN in/IN Zürich/NNP":       "Zürich",
		"a/DT dog/NN in/IN zürich/NNP":       "zürich",
		"Obama/NNP in/IN a/DT park/NN":       "Obama",
		"OBAMA/NNP IN/IN A/DT PARK/NNP":      "OBAMA",
		"A/DT Dog/NNP in/IN Zwingerhof/NNP":  "Zwingerhof",
		"a/DT dog/NN in/IN a/DT park/NN ./.": "",
		"a/DT dog/NN in/IN the/DT garden/NN": "",
	} {
		c := tagged(caption)
		first, last := slices.IndexFunc(c.Tokens, isObject), len(c.Tokens)-1
		for !isObject(c.Tokens[last]) {
			last--
		}
		c = related(c, "in", [2]int{first, first}, [2]int{last, last})
		for i := range c.Graph.Objects {
			c.Graph.Objects[i].Name = strings.ToLower(c.Graph.Objects[i].Name)
		}
		got := textsOf(t, with(methods.ReplaceObject, methods.FillObject, methods.AddObject), namedPlaces(), c)
		if name == "" && len(got) == 0 {
			t.Errorf("%q has no negatives", c.Text)
		}
		for _, text := range got {
			if !strings.Contains(strings.ToLower(text), " in ") {
				continue // of the dog alone
			}
			lower := strings.ToLower(text)
			if !strings.Contains(lower, strings.ToLower(name)) {
				t.Errorf("%q: %q is without %s", c.Text, text, name)
			}
			for _, other := range []string{"paris", "zürich", "grattan", "obama"} {
				if strings.Contains(lower, other) && !strings.EqualFold(other, name) {
					t.Errorf("%q: %q names %s", c.Text, text, other)
				}
			}
		}
	}
}

func isObject(t schemas.Token) bool { return strings.HasPrefix(t.Tag, "NN") }

// TestNamed tells names from things by how a caption writes them.
func TestNamed(t *testing.T) {
	w := newTestWords(t, schemas.Count{Kind: vocabulary.Usage, Key: "bulldog\ta", N: 3}, schemas.Count{Kind: vocabulary.Usage, Key: "bulldog\tname", N: 2})
	for _, c := range []struct {
		caption string
		at      [2]int
		want    bool
	}{
		{"The/DT Balmoral/NNP Hotel/NNP in/IN snow/NN", [2]int{1, 2}, true},
		{"The/DT Pursuit/NN of/IN God/NN", [2]int{0, 3}, true}, // a work
		{"Leather/NNP Wallet/NNP Black/NNP", [2]int{1, 1}, false},
		{"Leather/NNP Wallet/NNP Black/NNP 60x38/CD", [2]int{1, 1}, false},
		{"LEATHER/NNP WALLET/NNP", [2]int{1, 1}, false},
		{"Bill/NNP Clinton/NNP Shoes/NNPS", [2]int{0, 2}, true},
		{"Ottoman/NNP", [2]int{0, 0}, true},
		{"a/DT wallet/NN", [2]int{1, 1}, false},
	} {
		x := tagged(c.caption)
		o := related(x, "", c.at, c.at).Graph.Objects[0]
		o.Name = strings.ToLower(o.Name)
		if got := w.IsNamed(w.Noun(o.Name), o.Name, grammar.SpellingOf(&x, &o)); got != c.want {
			t.Errorf("%q names its %q: %v, want %v", x.Text, o.Name, got, c.want)
		}
	}
	for key, want := range map[string]bool{"bulldog": true, "london": true, "downtown london": true, "sun": false, "iphone case": true, "t-shirt": false, "running shoe": false, "": false} {
		if got := w.Noun(key).Name; got != want {
			t.Errorf("%q is a name: %v, want %v", key, got, want)
		}
	}
}

// TestTitled looks at long words, and not at those that titles write small.
func TestTitled(t *testing.T) {
	for caption, want := range map[string]bool{
		"Leather/NNP Wallet/NNP with/IN Zip/NNP": true,
		"LEATHER/NNP WALLET/NNP":                 true,
		"Peter/NNP Sagan/NNP Wins/VBZ 2012/CD":   true,
		"Leder/NNP für/NN Männer/NNP":            true,
		"A/DT wallet/NN in/IN Paris/NNP":         false,
		"Wallet/NN":                              false, // which any caption begins with
		"a/DT wallet/NN":                         false,
		"":                                       false,
	} {
		if c := tagged(caption); grammar.Titled(c.Text, c.Tokens) != want {
			t.Errorf("%q is a title: %v, want %v", c.Text, !want, want)
		}
	}
}

// TestMakesAreThings gives a thing with its make an article, and a building with a name none.
func TestMakesAreThings(t *testing.T) {
	counts := countsOf(vocabulary.Usage, "bottle\ta", "hat\ta", "bridge\ta")
	w := newTestWords(t, counts...)
	for key, isName := range map[string]bool{
		"gucci hat": false, "evian bottle": false, "grattan bridge": true, "paris": true, "hat": false,
	} {
		if got := w.Noun(key).Name; got != isName {
			t.Errorf("%q is a name: %t, want %t", key, got, isName)
		}
	}
}

// TestTextsOfNames says names of many kinds with no article but their own, and neither after "there is"
// nor before "that is".
func TestTextsOfNames(t *testing.T) {
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	vocab := testVocabulary(t, countsOf(vocabulary.Usage, "tower\ta", "bridge\ta", "church\ta", "lake\ta", "car\ta", "player\ta", "cup\ta", "poster\ta")...)
	opts := Defaults()
	opts.MaxPositives = 40
	g, err := New(opts, vocab, 7)
	if err != nil {
		t.Fatal(err)
	}
	for caption, text := range map[string]string{
		// Persons.
		"Barack Obama speaking at a podium":                       "barack obama",
		"A photo of Jennifer Garner in a red dress":               "jennifer garner",
		"Queen Elizabeth II waving from a balcony":                "queen elizabeth ii",
		"Young Michael Jackson dancing on a stage":                "young michael jackson",
		"Pope Francis holding a baby":                             "pope francis",
		"Roy Williams, Mike Krzyzewski":                           "mike krzyzewski",
		"Santa Claus riding a sleigh":                             "santa claus",
		"Tom's black cat sleeping on a sofa":                      "tom",
		"Johnny Depp with long hair":                              "johnny depp",
		"a dog named Max lying on a rug":                          "max",
		"Mona Lisa by Leonardo da Vinci in the Louvre":            "leonardo da vinci",
		"Vincent van Gogh in a garden":                            "vincent van gogh",
		"President Donald Trump shakes hands with Vladimir Putin": "vladimir putin",
		// Places.
		"The Eiffel Tower at night":                            "the eiffel tower",
		"Golden Gate Bridge in San Francisco":                  "golden gate bridge",
		"A man in front of the Statue of Liberty":              "the statue of liberty",
		"Lake Tahoe in winter":                                 "lake tahoe",
		"Beautiful Lake Como with mountains in the background": "beautiful lake como",
		"A view of Mount Fuji from Tokyo":                      "tokyo",
		"a woman walking in new york city":                     "new york city",
		"Central Park covered in snow":                         "central park",
		"A street in Old San Juan, Puerto Rico":                "old san juan",
		"Big Ben behind a red bus":                             "big ben",
		"St. Peter's Basilica in Vatican City":                 "vatican city",
		"The Rolling Stones at Madison Square Garden":          "madison square garden",
		// Works, events and groups.
		"The Great Wave off Kanagawa by Hokusai":  "the great wave off kanagawa",
		"The Beatles walking across Abbey Road":   "the beatles",
		"The Beautiful Emma Watson at the Oscars": "the oscars",
		// Makes and models: the thing of a make is no name.
		"A bottle of Coca-Cola on a table":       "coca-cola",
		"Ford Mustang with white stripes":        "ford mustang",
		"A black Honda Civic parked on a street": "a black honda civic",
		"A Starbucks cup on a desk":              "a starbucks cup",
		"a barack obama poster on a wall":        "a barack obama poster",
		"New York Yankees player swinging a bat": "a new york yankees player",
	} {
		var p schemas.Parsed
		parser.ParseText(caption, &p)
		name, isThing := strings.CutPrefix(text, "a ")
		found := false
		for i := range 20 {
			pools := make([]schemas.Pool, 1)
			img := Image{Key: fmt.Sprint(i), Captions: []Caption{{Key: caption, Text: caption, Tokens: p.Tokens, Graph: p.Graph}}}
			if err := g.Texts(context.Background(), &img, pools, &Drops{}); err != nil {
				t.Fatal(err)
			}
			for _, p := range pools[0].Positives[1:] {
				found = found || p.Text == text
				for _, bad := range []string{"a " + name, "an " + name, "there is " + name, "there are " + name, name + " that is", name + " who is"} {
					if !isThing && strings.Contains(p.Text+" ", bad+" ") {
						t.Errorf("%q: %q", caption, p.Text)
					}
				}
			}
		}
		if !found {
			t.Errorf("%q: nothing says %q", caption, text)
		}
	}
}

// TestNamesAreNotDescribed says no "a grattan bridge that is red".
func TestNamesAreNotDescribed(t *testing.T) {
	for name, described := range map[string]bool{"bridge": true, "grattan bridge": false} {
		found := false
		for i := range 40 {
			c := Caption{Key: fmt.Sprint(i), Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{object(name, "red")}}}
			pools, _ := generate(t, Defaults(), &Image{Key: fmt.Sprint("i", i), Captions: []Caption{c}})
			for _, p := range pools[0].Positives[1:] {
				found = found || strings.Contains(p.Text, name+" that is red")
			}
		}
		if found != described {
			t.Errorf("%q is described by \"that is\": %t, want %t", name, found, described)
		}
	}
}
