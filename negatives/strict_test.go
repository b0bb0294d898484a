package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// spanned is the object that token i names.
func spanned(c *Caption, i int) schemas.Object {
	t := &c.Tokens[i]
	o := object(c.Text[t.Begin:t.End])
	o.Begin, o.End = t.Begin, t.End
	return o
}

// TestWeatherStandsForWeather puts no river in the place of fog, nor the reverse.
func TestWeatherStandsForWeather(t *testing.T) {
	w := newTestWords(t, counts(CountBetween, "boat\tfog\tin", "boat\triver\tin", "boat\tstorm\tin")...)
	f := filtered{words: w, plausible: true}
	for _, c := range []struct {
		noun, original string
		want           bool
	}{
		{"river", "fog", false}, {"fog", "river", false}, {"storm", "fog", true},
	} {
		s := slot{kind: SlotObject, object: true, of: w.noun(c.original).kind, relation: w.relationOf("in", ""), other: w.noun("boat")}
		if got := suits(&f, &s, c.noun); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
		}
	}
}

// TestNothingStandsThere puts nothing of another kind on an occasion, nobody in somebody's hair and
// nothing in what only shows it, though the corpus has them so.
func TestNothingStandsThere(t *testing.T) {
	w := newTestWords(t, counts(CountBetween, "beach\tsunset\tat", "boy\tsunset\tat", "actor\thair\tin", "ribbon\thair\tin", "car\tvideo\tin", "car\tgarage\tin", "car\tcomic\tin")...)
	f := filtered{words: w, plausible: true}
	for _, c := range []struct {
		noun, original, relation, other string
		object, want                    bool
	}{
		{"beach", "girl", "at", "sunset", false, false},
		{"boy", "girl", "at", "sunset", false, true},
		{"actor", "flower", "in", "hair", false, false},
		{"ribbon", "flower", "in", "hair", false, true},
		{"video", "street", "in", "car", true, false},
		{"garage", "street", "in", "car", true, true},
		{"comic", "video", "in", "car", true, true},
	} {
		s := slot{kind: SlotObject, object: c.object, of: w.noun(c.original).kind, relation: w.relationOf(c.relation, ""), other: w.noun(c.other)}
		if got := suits(&f, &s, c.noun); got != c.want {
			t.Errorf("%s for %s %s %s: %v, want %v", c.noun, c.original, c.relation, c.other, got, c.want)
		}
	}
}

// TestNobodySeesWhatItIsFor replaces what something is for in no sub-graph.
func TestNobodySeesWhatItIsFor(t *testing.T) {
	caption := Caption{Graph: schemas.SceneGraph{
		Objects:   []schemas.Object{object("bed"), object("dog")},
		Relations: []schemas.Relation{{Subject: 0, Predicate: "for", Lemma: "for", Object: 1}},
	}}
	corpus := slices.Concat(counts(CountObject, "bed", "couch", "dog", "cat"), counts(CountBetween, "bed\tdog\tfor", "bed\tcat\tfor", "couch\tdog\tfor", "couch\tcat\tfor"))
	got := textsOf(t, with(ReplaceObject), corpus, caption)
	if len(got) == 0 || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "cat") }) {
		t.Errorf("%q", got)
	}
}

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

// TestExamplesOfOthers fills no noun that is one of what follows.
func TestExamplesOfOthers(t *testing.T) {
	var w captionWords
	for text, want := range map[string]bool{
		"fries/NNS and/CC a/DT few/JJ other/JJ dishes/NNS": true,
		"fries/NNS and/CC a/DT dish/NN":                    false,
		"other/JJ fries/NNS":                               true,
		"fries/NNS":                                        false,
		"a/DT man/NN other/JJ":                             false,
	} {
		c := tagged(text)
		w.read(&c, nil)
		at := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return strings.HasPrefix(t.Tag, "NN") })
		if got := w.exemplary(at, at); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestRoomsAreInBuildings puts no building in the place of a room that it may have, nor the
// reverse.
func TestRoomsAreInBuildings(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		noun, original string
		want           Reason
	}{
		{"castle", "bedroom", ReasonKnownGraph}, {"bedroom", "castle", ReasonKnownGraph}, {"balcony", "castle", ReasonKnownGraph}, {"bedroom", "balcony", ReasonKnownGraph},
		{"kitchen", "closet", noReason}, {"castle", "market", noReason}, {"castle", "beach", noReason},
	} {
		if got := nounFits(w.noun(c.noun), w.noun(c.original)); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
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

// TestSpellingsAreOneWord puts no word in the place of the same one, spelt with a space or a
// hyphen, here or in another caption of the image.
func TestSpellingsAreOneWord(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		noun, original string
		want           Reason
	}{
		{"side walk", "sidewalk", ReasonSynonym}, {"tshirt", "t-shirt", ReasonSynonym}, {"clocktower", "clock tower", ReasonSynonym},
		{"sidewalk", "bus", ReasonKnownGraph}, {"boardwalk", "bus", noReason},
	} {
		if got := fits(g, "side walk", c.noun, c.original, false); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
		}
	}
}
