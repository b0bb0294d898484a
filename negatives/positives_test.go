package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestWhatNamesNoThingIsNotSaidAlone keeps a background only with its colour, and an area only
// by a name.
func TestWhatNamesNoThingIsNotSaidAlone(t *testing.T) {
	for _, c := range []struct {
		object schemas.Object
		said   bool
	}{
		{object("background"), false}, {object("concert"), false}, {object("background", "white"), true},
		{schemas.Object{Name: "play area", Head: "area", Begin: -1, End: -1}, true}, {schemas.Object{Name: "days", Head: "day", Quantity: "two", Begin: -1, End: -1}, true},
		{object("team"), true}, {object("bus"), true},
	} {
		if got := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{c.object}}}); len(got) > 0 != c.said {
			t.Errorf("%s: %q", c.object.Name, got)
		}
	}
}

// TestTimesSayWhen says no "a dog on a day", nor that it is on a rainy one.
func TestTimesSayWhen(t *testing.T) {
	rainy := positivesOf(t, Caption{Text: "here", Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("dog"), object("day", "rainy")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1}},
	}})
	if !slices.ContainsFunc(rainy, func(s string) bool { return strings.HasSuffix(s, "dog on a rainy day") }) {
		t.Errorf("%q", rainy)
	}
	for _, s := range rainy {
		if strings.Contains(s, "on a day") || strings.Contains(s, "dog is") {
			t.Errorf("%q", s)
		}
	}
}

// TestPortionsStayBare says no "a game of a frisbee", but "a leg of a table".
func TestPortionsStayBare(t *testing.T) {
	for caption, want := range map[string]string{
		"a/DT game/NN of/IN frisbee/NN":              "frisbee",
		"plates/NNS of/IN warm/JJ pizza/NN":          "warm pizza",
		"a/DT leg/NN of/IN table/NN":                 "a table",
		"a/DT glass/NN of/IN a/DT strong/JJ beer/NN": "a strong beer",
	} {
		c := tagged(caption)
		o := spanned(&c, len(c.Tokens)-1)
		if before := c.Tokens[len(c.Tokens)-2]; before.Tag == "JJ" {
			o.Attributes = []schemas.Attribute{{Text: c.Text[before.Begin:before.End], Form: schemas.Pre, Begin: before.Begin, End: before.End}}
		}
		c.Graph.Objects = []schemas.Object{o}
		if got := positivesOf(t, c); !slices.ContainsFunc(got, func(s string) bool {
			return strings.HasSuffix(s, want) && (want[:2] == "a " || !strings.Contains(s, "a "+want))
		}) {
			t.Errorf("%q: %q, want %q", c.Text, got, want)
		}
	}
}

// TestWhatIsDoneToAThingIsNotSaidOfAPlace says nobody "flying near a tree" who flies a kite there.
func TestWhatIsDoneToAThingIsNotSaidOfAPlace(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"fly", "fly near", "near"},
		{"try to find", "try in", "in"},
		{"jump to catch", "jump in", "jumping in"},
		{"swing", "swing at", "swinging at"},
		{"prepare", "prepare on", "preparing on"},
		{"put", "put in", ""},
		{"", "fly near", "flying near"},
	} {
		said := Caption{Text: "here", Graph: schemas.SceneGraph{Objects: []schemas.Object{object("bird"), object("kite"), object("tree")}}}
		said.Graph.Relations = []schemas.Relation{{Subject: 0, Predicate: c.second, Lemma: c.second, Object: 2}}
		if c.first != "" {
			said.Graph.Relations = append(said.Graph.Relations, schemas.Relation{Subject: 0, Predicate: c.first, Lemma: c.first, Object: 1})
		}
		found := 0
		for _, text := range positivesOf(t, said) {
			if !strings.Contains(text, "bird") || !strings.Contains(text, "tree") {
				continue
			}
			found++
			if c.want == "" || !strings.Contains(text, c.want+" ") || strings.Contains(text, "ing") != strings.Contains(c.want, "ing") {
				t.Errorf("%q and %q: %q, want %q", c.first, c.second, text, c.want)
			}
		}
		if c.want != "" && found == 0 {
			t.Errorf("%q and %q: nothing is said of bird and tree, want %q", c.first, c.second, c.want)
		}
	}
}
