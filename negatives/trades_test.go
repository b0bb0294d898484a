package negatives

import (
	"slices"
	"testing"

	"capgraph/schemas"
)

// TestTrades makes as many orders as are wanted of words that may trade places. Of those that
// hardly anyone would put so it makes one, and what the papers make where a caption has no other negative.
func TestTrades(t *testing.T) {
	corpus := slices.Concat(
		counts(CountAttributeOf, "bus\tred", "bus\tblue", "bus\tsmall", "car\tred", "car\tblue", "car\tsmall"),
		counts(CountAttribute, "red", "blue", "small", "large"),
		counts(CountUsage, "bus\ta", "car\ta", "dog\ta", "boy\ta", "kite\ta", "city\ta", "idea\ta", "bus\tplural", "dog\tplural", "boy\tplural", "kite\tplural"),
		counts(CountBetween, "boy\tdog\tchasing", "dog\tboy\tchasing", "boy\tkite\tholding", "boy\tcity\tin", "dog\tcity\tin"),
		counts(CountSubjectOf, "chasing\tboy", "chasing\tdog", "holding\tboy"),
	)
	for _, c := range []struct {
		name    string
		methods []Method
		caption Caption
		want    []string
	}{
		{"adjectives that exclude each other", []Method{SwapAdjectives}, tagged("a/DT red/JJ bus/NN by/IN a/DT blue/JJ car/NN"), []string{"a blue bus by a red car"}},
		{"both alive", []Method{SwapNouns, SwapNounPhrases}, related(tagged("a/DT boy/NN chasing/VBG a/DT small/JJ dog/NN"), "chasing", [2]int{1, 1}, [2]int{5, 5}),
			[]string{"a small dog chasing a boy", "a dog chasing a small boy"}},
		{"nothing else is false", []Method{SwapNouns, SwapNounPhrases}, related(tagged("a/DT boy/NN holding/VBG a/DT red/JJ kite/NN"), "holding", [2]int{1, 1}, [2]int{5, 5}),
			[]string{"a red kite holding a boy"}},
		{"one of all pairs", []Method{SwapNouns, SwapNounPhrases}, related(tagged("a/DT boy/NN holds/VBZ two/CD kites/NNS by/IN a/DT city/NN"), "holds", [2]int{1, 1}, [2]int{4, 4}),
			[]string{"a kite holds two boys by a city"}},
		{"nothing else is made", []Method{SwapVerbPhrases}, tagged("a/DT boy/NN holding/VBG a/DT kite/NN and/CC wearing/VBG a/DT hat/NN"), []string{"a boy wearing a kite and holding a hat"}},
		{"another colour is false too", []Method{SwapNouns, SwapNounPhrases, FillAttribute}, related(tagged("a/DT boy/NN holding/VBG a/DT red/JJ kite/NN"), "holding", [2]int{1, 1}, [2]int{5, 5}),
			[]string{"a boy holding a blue kite", "a red kite holding a boy"}},
		{"colour and size say different things", []Method{SwapAdjectives, FillAttribute}, tagged("a/DT red/JJ bus/NN by/IN a/DT small/JJ car/NN"),
			[]string{"a blue bus by a small car", "a red bus by a large car"}},
		{"what nobody can see", []Method{SwapNouns, SwapNounPhrases, FillAttribute}, related(tagged("a/DT boy/NN with/IN a/DT red/JJ idea/NN"), "with", [2]int{1, 1}, [2]int{5, 5}),
			[]string{"a boy with a blue idea"}},
	} {
		if got := textsOf(t, with(c.methods...), corpus, c.caption); !slices.Equal(sorted(got), sorted(c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTradesOfOtherRelations asks the corpus for each noun in the relations of the other.
func TestTradesOfOtherRelations(t *testing.T) {
	corpus := slices.Concat(
		counts(CountUsage, "cat\ta", "dog\ta", "box\ta", "couch\ta"),
		counts(CountBetween, "cat\tbox\tin", "dog\tcouch\ton", "dog\tbox\tin", "cat\tcouch\ton", "lion\tcouch\ton"),
	)
	g, err := New(with(SwapNouns), testVocabulary(t, corpus...), 7)
	if err != nil {
		t.Fatal(err)
	}
	relations := []schemas.Relation{{Subject: 0, Predicate: "in", Lemma: "in", Object: 1}, {Subject: 2, Predicate: "on", Lemma: "on", Object: 3}}
	for _, c := range []struct {
		objects [4]string
		want    bool
	}{
		{[4]string{"cat", "box", "dog", "couch"}, true},
		{[4]string{"cat", "box", "box", "couch"}, false},  // a thing and an animal
		{[4]string{"cat", "box", "lion", "couch"}, false}, // no lion is in a box
		{[4]string{"cat", "box", "dog", ""}, false},       // of which nothing is said
	} {
		graph := schemas.SceneGraph{Relations: relations}
		for _, o := range c.objects {
			if o == "" {
				graph.Relations = relations[:1]
				break
			}
			graph.Objects = append(graph.Objects, object(o))
		}
		g.known.read(g.words, &Image{Key: "i", Captions: []Caption{{Graph: graph}}})
		g.filtered.demand = much
		if got := g.nounsTrade(&graph, 0, 0, 2, true); got != c.want {
			t.Errorf("%q: the first and the third trade places: %v, want %v", c.objects, got, c.want)
		}
	}
}

func sorted(texts []string) []string { return slices.Sorted(slices.Values(texts)) }
