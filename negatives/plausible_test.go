package negatives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// plausibleCounts are of a corpus that has enough of gloves and horses to tell
// what goes with them.
func plausibleCounts() []schemas.Count {
	between := []string{"room\tdoor\twith", "dog\tglove\twith"}
	usual := []string{"horse\triding", "horse\tfeeding", "room\twith"}
	for i := range wellKnown {
		between = append(between, fmt.Sprintf("man%d\tglove\twith", i))
	}
	for i := range few {
		usual = append(usual, fmt.Sprintf("horse\tdoing%d", i))
	}
	var of []string
	for _, u := range usual {
		head, relation, _ := strings.Cut(u, "\t")
		of = append(of, relation+"\t"+head)
	}
	slices.Sort(of)
	return slices.Concat(
		counts(CountBetween, between...), counts(CountObjectOf, of...),
		counts(CountActionOf, "VBG\tman\tobject\triding", "VBG\tman\tobject\tfeeding", "VBG\tman\tobject\tcooking", "VBG\tcow\tobject\tdragging"),
		counts(CountAttribute, "foggy", "clear", "red", "blue"),
	)
}

func TestGoesWith(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t, plausibleCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		subject, object string
		want            bool
	}{
		{"dog", "glove", true},
		{"room", "glove", false},
		{"room", "door", true},
		{"cow", "door", true}, // of doors the corpus says too little
	} {
		s := slot{Slot: Slot{Kind: SlotObject, Object: c.object}, other: g.words.noun(c.object).word}
		chosen := g.filtered.of(&s, g.words.candidates(SlotObject, []Candidate{{c.subject, 1}}))
		beside := g.filtered.beside(&s)
		if got := beside == nil || beside.has(chosen.of.heads[0]); got != c.want {
			t.Errorf("a %s with a %s: %v, want %v", c.subject, c.object, got, c.want)
		}
	}
}

// TestActionsAreOfTheirNouns fills a verb that the corpus has of the noun before
// it and of the object after it.
func TestActionsAreOfTheirNouns(t *testing.T) {
	g, err := New(with(FillAction), testVocabulary(t, plausibleCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	img := &Image{Key: "i", Captions: []Caption{tagged("a/DT man/NN riding/VBG a/DT horse/NN")}}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(t.Context(), img, pools, &Drops{}); err != nil {
		t.Fatal(err)
	}
	if got := negTexts(pools[0]); !slices.Equal(got, []string{"a man feeding a horse"}) {
		t.Errorf("%q, want only feeding: nobody cooks a horse, and no man drags", got)
	}
}

// TestAttributesOfOtherHeads takes those of dimensions that most things have.
func TestAttributesOfOtherHeads(t *testing.T) {
	g, err := New(Defaults(), testVocabulary(t, plausibleCounts()...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for attribute, want := range map[string]bool{"red": true, "clear": false} {
		s := slot{Slot: Slot{Kind: SlotAttribute, Text: attribute, Head: "tape"}, id: g.words.property(attribute).id}
		if chosen := g.choose(&s, nil); chosen.empty() == want {
			t.Errorf("%q of tape, which the corpus does not have, is replaced: %v, want %v", attribute, !want, want)
		}
	}
}

// TestSwappedSubjects turns a relation round where the corpus has its object do
// that, and has it beside the subject, or says too little of what it does.
func TestSwappedSubjects(t *testing.T) {
	did := []string{"chasing\tcat", "chasing\tdog", "riding\tman"}
	for i := range few {
		did = append(did, fmt.Sprintf("doing%d\tcat", i), fmt.Sprintf("doing%d\thorse", i))
	}
	slices.Sort(did)
	var worn []string
	for i := range wellKnown {
		worn = append(worn, fmt.Sprintf("man%d\tdress\tin", i))
	}
	slices.Sort(worn)
	g, err := New(with(SwapObjects), testVocabulary(t, slices.Concat(counts(CountSubjectOf, did...), counts(CountBetween, worn...))...), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		subject, relation, lemma, object string
		want                             bool
	}{
		{"dog", "chasing", "chase", "cat", true},
		{"man", "riding", "ride", "horse", false}, // no horse rides, of all that they do
		{"man", "riding", "ride", "yak", true},    // of yaks the corpus says nothing
		{"man", "behind", "behind", "horse", true},
		{"dress", "in", "in", "pasture", false}, // nobody saw a pasture in a dress
	} {
		img := &Image{Key: "i", Captions: []Caption{{Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object(c.subject), object(c.object)},
			Relations: []schemas.Relation{{Subject: 0, Predicate: c.relation, Lemma: c.lemma, Object: 1}},
		}}}}
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(t.Context(), img, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		if got := len(pools[0].Negatives) > 0; got != c.want {
			t.Errorf("a %s %s a %s is turned round: %v, want %v (%q)", c.subject, c.relation, c.object, got, c.want, negTexts(pools[0]))
		}
	}
}
