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

// TestTextsStateWhatIsAsserted parses captions and checks that no positive says what they deny,
// suppose or only depict, and that they still say the rest.
func TestTextsStateWhatIsAsserted(t *testing.T) {
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	vocab, err := negatives.NewVocabulary(func(func(schemas.Count) bool) {}, negatives.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ caption, without, with string }{
		{"A man who is not wearing a hat", "hat", "man"},
		{"A sign that warns of bears in the park.", "bears", "sign"},
		{"A painting of a ship hangs above the fireplace.", "there is a ship,a ship,ship hanging", "a painting of a ship"},
		{"A statue of a horse stands in front of a church.", "there is a horse,a horse,horse standing", "a statue"},
		{"A drawing of a cat", "", "a cat"},
		{"They are in a park near the lake.", "they", "a park"},
		{"A dog that is about to catch a frisbee", "catching", "a dog"},
	} {
		var parsed schemas.Parsed
		p.ParseText(c.caption, &parsed)
		view := parsed.Graph
		view.KeepAsserted()
		image := negatives.Image{Key: "i", Captions: []negatives.Caption{{Key: "i", Text: c.caption, Tokens: parsed.Tokens, Graph: view}}}
		g, err := negatives.New(negatives.Defaults(), vocab, 7)
		if err != nil {
			t.Fatal(err)
		}
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &image, pools, &negatives.Drops{}); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, pos := range pools[0].Positives[1:] {
			texts = append(texts, pos.Text)
		}
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
