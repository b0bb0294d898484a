package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/methods"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// TestOpposed says of which subject, and in which direction, one is false if another is said.
func TestOpposed(t *testing.T) {
	w := newTestWords(t)
	for _, c := range []struct {
		said, is string
		of       truth.Kind
		want     bool
	}{
		{"sitting on", "standing on", truth.People, true},
		{"standing on", "sitting on", truth.People, true},
		{"sitting on", "standing on", truth.Vehicles, false}, // as a bus may be said to do both
		{"sitting on", "standing on", 0, false},
		{"sitting on", "jumping on", truth.Animals, true},
		{"holding", "eating", truth.People, true},
		{"eating", "holding", truth.People, false}, // who eats it holds it
		{"next to", "riding", truth.People, true},
		{"standing next to", "riding", truth.People, true},
		{"feeding next to", "riding", truth.People, false}, // two things change
		{"riding", "next to", truth.People, false},
		{"on", "under", 0, true},
		{"sitting on", "under", truth.Animals, true},
		{"sitting on", "lying under", truth.Animals, true},
		{"flying over", "sitting under", truth.Animals, false},
		{"walking on", "climbing near", truth.People, false},
		{"walking on", "climbing on top of", truth.People, true}, // the same place
		{"walking by", "ridden by", truth.People, false},
		{"with", "holding", truth.People, false},
		{"", "", truth.People, false},
	} {
		if got := w.Opposed(w.RelationOf(c.said, ""), w.RelationOf(c.is, ""), c.of.Actor()); got != c.want {
			t.Errorf("%q is false of kind %d where %q is said: %v, want %v", c.is, c.of, c.said, got, c.want)
		}
	}
}

// sitting is a man who sits on a bench, in a corpus that has men lying, standing and running.
func sitting() (Caption, []schemas.Count) {
	c := tagged("a/DT man/NN sitting/VBG on/IN a/DT bench/NN")
	c.Tokens[2].Lemma = "sit"
	corpus := slices.Concat(
		countsOf(vocabulary.Relation, "sitting on", "standing on", "resting on", "waiting on"),
		countsOf(vocabulary.SubjectOf, "sitting on\tman", "standing on\tman", "resting on\tman", "waiting on\tman"),
		countsOf(vocabulary.Between, "man\tbench\tresting on", "man\tbench\tsitting on", "man\tbench\tstanding on", "man\tbench\twaiting on"),
		countsOf(vocabulary.Action, "VBG\tsitting", "VBG\tstanding", "VBG\tresting"),
		countsOf(vocabulary.ActionOf, "VBG\tman\ton\tsitting", "VBG\tman\ton\tstanding", "VBG\tman\ton\tresting"),
		countsOf(vocabulary.Usage, "man\ta", "bench\ta"),
	)
	return related(c, "sitting on", [2]int{1, 1}, [2]int{5, 5}), corpus
}

// TestOppositesComeFirst replaces "sitting on" by "standing on", which it excludes, and not by what may be true.
func TestOppositesComeFirst(t *testing.T) {
	c, corpus := sitting()
	for _, m := range []methods.Method{methods.ReplaceRelation, methods.FillAction} {
		got := textsOf(t, with(m), corpus, c)
		if len(got) != 1 || !strings.HasSuffix(got[0], "standing on a bench") {
			t.Errorf("%s: %q, want him standing alone", m, got)
		}
	}
}

// TestOppositesThatACaptionSays are no negatives, and what goes along with what is said tells nothing of one
// man, but of several.
func TestOppositesThatACaptionSays(t *testing.T) {
	c, corpus := sitting()
	another := func(name, predicate, lemma string) Caption {
		other := tagged("here/RB")
		other.Graph = schemas.SceneGraph{
			Objects:   []schemas.Object{object(name), object("bench")},
			Relations: []schemas.Relation{{Subject: 0, Predicate: predicate, Lemma: lemma, Object: 1}},
		}
		if name == "men" {
			other.Graph.Objects[0].Head = "man"
		}
		return other
	}
	for _, x := range []struct {
		other Caption
		some  bool
	}{
		{another("man", "on", "on"), true},
		{another("man", "resting on", "rest on"), true},
		{another("man", "standing by", "stand by"), false},
		{another("man", "standing on", "stand on"), false},
		{another("men", "on", "on"), false},
	} {
		g, err := New(with(methods.ReplaceRelation), testVocabulary(t, corpus...), 7)
		if err != nil {
			t.Fatal(err)
		}
		pools := make([]schemas.Pool, 2)
		if err := g.Texts(t.Context(), &Image{Key: "i", Captions: []Caption{c, x.other}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		if r := x.other.Graph.Relations[0]; len(pools[0].Negatives) > 0 != x.some {
			t.Errorf("%s %s: %q, want some: %v", x.other.Graph.Objects[0].Name, r.Predicate, negTexts(pools[0]), x.some)
		}
	}
}

// TestMayStand takes an opposite where captions have its object so, or where anything may be so.
func TestMayStand(t *testing.T) {
	vocab := testVocabulary(t)
	w := words.New(vocab.corpus)
	for _, c := range []struct {
		subject, relation, object string
		want                      bool
	}{
		{"plate", "on", "table", true},
		{"plate", "next to", "table", true},
		{"man", "behind", "bus", true},
		{"plate", "in", "train", true},
		{"train", "in", "plate", false},
		{"train", "on", "train", false},
		{"plate", "next to", "lawn", false}, // of which it is on, in or at
		{"man", "in front of", "sweater", false},
		{"man", "throwing", "ball", true},
		{"man", "throwing", "landmark", false},
		{"man", "standing on", "landmark", false},
		{"man", "on", "day", false},
		{"man", "behind", "background", false},
		{"man", "under", "", false},
		{"cat", "under", "bridge", true},
		{"fog", "under", "bridge", false},
		{"storm", "behind", "train", false},
		{"beauty", "in", "house", false},
		{"wedding", "in front of", "vogue", false},
		{"cat", "in front of", "daytime", false},
		{"man", "sitting on", "track", true},
		{"man", "sitting on", "guitar", false},
	} {
		if got := vocab.attested.AllowsRelation(w.Noun(c.subject), w.Noun(c.object), w.RelationOf(c.relation, "")); got != c.want {
			t.Errorf("a %s %s a %s: %v, want %v", c.subject, c.relation, c.object, got, c.want)
		}
	}
}
