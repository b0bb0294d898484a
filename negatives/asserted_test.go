package negatives_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// TestTextsOfPublishedFaults has captions whose texts a user of capgraph found wrong.
func TestTextsOfPublishedFaults(t *testing.T) {
	for _, c := range []struct{ caption, without, with string }{
		{"A bowl filled with lots of oranges on a counter.", "filled on", "a bowl on a counter,a bowl is on a counter,there is a bowl on a counter"},
		{"A plate covered with food on a wooden table", "covered on", "a plate on a wooden table,a plate is on a wooden table,there is a plate on a wooden table"},
		{`Tom's black cat "Felix" sleeps on the sofa.`, "a tom", "a black cat,a cat that is black,there is a black cat"},
		{"A tourist in front of the Eiffel Tower", "an eiffel tower", "the eiffel tower"},
		{"Group of giraffes grazing from same high tree in field", "same", "a high tree,a tree that is high,there is a high tree"},
	} {
		texts := textsOfCaption(t, c.caption)
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, c.without) }) {
			t.Errorf("%q: %q says %q", c.caption, texts, c.without)
		}
		if !slices.ContainsFunc(strings.Split(c.with, ","), func(want string) bool {
			return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, want) })
		}) {
			t.Errorf("%q: %q says nothing of %q", c.caption, texts, c.with)
		}
	}
}

// textsOfCaption returns the positives of a caption but itself, of a corpus without counts.
func textsOfCaption(t *testing.T, caption string) []string {
	t.Helper()
	return newTextMaker(t)(caption)
}

// newTextMaker returns a function that returns the positives of a caption but itself, of a corpus
// without counts.
func newTextMaker(t *testing.T) func(caption string) []string {
	t.Helper()
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	vocab, err := negatives.NewVocabulary(func(func(schemas.Count) bool) {}, negatives.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	g, err := negatives.New(negatives.Defaults(), vocab, 7)
	if err != nil {
		t.Fatal(err)
	}
	return func(caption string) (texts []string) {
		var parsed schemas.Parsed
		p.ParseText(caption, &parsed)
		parsed.Graph.KeepAsserted()
		image := negatives.Image{Key: "i", Captions: []negatives.Caption{{Key: "i", Text: caption, Tokens: parsed.Tokens, Graph: parsed.Graph}}}
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &image, pools, &negatives.Drops{}); err != nil {
			t.Fatal(err)
		}
		for _, pos := range pools[0].Positives[1:] {
			texts = append(texts, pos.Text)
		}
		return texts
	}
}

// TestTextsStateWhatIsAsserted parses captions and checks that no positive says what they deny,
// suppose or only depict, and that they still say the rest.
func TestTextsStateWhatIsAsserted(t *testing.T) {
	for _, c := range []struct{ caption, without, with string }{
		{"A man who is not wearing a hat", "hat", "man"},
		{"A sign that warns of bears in the park.", "bears", "sign"},
		{"A painting of a ship hangs above the fireplace.", "there is a ship,a ship,ship hanging", "a painting of a ship"},
		{"A statue of a horse stands in front of a church.", "there is a horse,a horse,horse standing", "a statue"},
		{"A drawing of a cat", "", "a cat"},
		{"They are in a park near the lake.", "they", "a park"},
		{"A dog that is about to catch a frisbee", "catching", "a dog"},
	} {
		texts := textsOfCaption(t, c.caption)
		for _, no := range strings.Split(c.without, ",") {
			says := func(text string) bool {
				return text == no || !strings.HasPrefix(no, "a ") && strings.Contains(text, no)
			}
			if no != "" && slices.ContainsFunc(texts, says) {
				t.Errorf("%q: %q says %q", c.caption, texts, no)
			}
		}
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, c.with) }) {
			t.Errorf("%q: %q does not say %q", c.caption, texts, c.with)
		}
	}
}
