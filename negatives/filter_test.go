package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/slots"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// TestWeatherStandsForWeather puts no river in the place of fog, nor the reverse.
func TestWeatherStandsForWeather(t *testing.T) {
	w := newTestWords(t, countsOf(vocabulary.Between, "boat\tfog\tin", "boat\triver\tin", "boat\tstorm\tin")...)
	f := newFilter(w, nil, true)
	for _, c := range []struct {
		noun, original string
		want           bool
	}{
		{"river", "fog", false}, {"fog", "river", false}, {"storm", "fog", true},
	} {
		s := slot{kind: slots.Object, object: true, of: w.Noun(c.original).Kind, relation: w.RelationOf("in", ""), other: w.Noun("boat")}
		if got := suits(&f, &s, c.noun); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
		}
	}
}

// TestNothingStandsThere puts nothing of another kind on an occasion, nobody in somebody's hair and
// nothing in what only shows it, though the corpus has them so.
func TestNothingStandsThere(t *testing.T) {
	w := newTestWords(t, countsOf(vocabulary.Between, "beach\tsunset\tat", "boy\tsunset\tat", "actor\thair\tin", "ribbon\thair\tin", "car\tvideo\tin", "car\tgarage\tin", "car\tcomic\tin")...)
	f := newFilter(w, nil, true)
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
		s := slot{kind: slots.Object, object: c.object, of: w.Noun(c.original).Kind, relation: w.RelationOf(c.relation, ""), other: w.Noun(c.other)}
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
	corpus := slices.Concat(countsOf(vocabulary.Object, "bed", "couch", "dog", "cat"), countsOf(vocabulary.Between, "bed\tdog\tfor", "bed\tcat\tfor", "couch\tdog\tfor", "couch\tcat\tfor"))
	got := textsOf(t, with(methods.ReplaceObject), corpus, caption)
	if len(got) == 0 || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "cat") }) {
		t.Errorf("%q", got)
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
		{"castle", "bedroom", ReasonMayBeTrue}, {"bedroom", "castle", ReasonMayBeTrue}, {"balcony", "castle", ReasonMayBeTrue}, {"bedroom", "balcony", ReasonMayBeTrue},
		{"kitchen", "closet", noReason}, {"castle", "market", noReason}, {"castle", "beach", noReason},
	} {
		if got := checkNoun(w.Noun(c.noun), w.Noun(c.original)); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
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
		{"sidewalk", "bus", ReasonMayBeTrue}, {"boardwalk", "bus", noReason},
	} {
		if got := fits(g, "side walk", c.noun, c.original, false); got != c.want {
			t.Errorf("%s for %s: %v, want %v", c.noun, c.original, got, c.want)
		}
	}
}
