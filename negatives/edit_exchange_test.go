package negatives

import (
	"context"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/publiccounts"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// publicGenerator makes texts by the counts of public captions, with the defaults.
func publicGenerator(t *testing.T) (*Generator, *ruleparse.Parser) {
	t.Helper()
	v, err := ReadVocabulary(publiccounts.Vocabulary(), Defaults())
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(Defaults(), v, 7)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	return g, parser
}

// TestExchanges makes the exchange of a caption, or names what stopped it.
func TestExchanges(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, c := range []struct {
		caption, want, reason string // the exchange, and why it is dropped; empty if it is made
	}{
		// attributes
		{"a red circle and a blue square", "a blue circle and a red square", ""},
		{"A red bus by an orange house, parked", "An orange bus by a red house, parked", ""},
		{"a red bus by a blue house", "a blue bus by a red house", ""},
		{"a black dog and a white cat", "a white dog and a black cat", ""},
		{"a man in a red shirt and a woman in a blue dress", "a man in a blue shirt and a woman in a red dress", ""},
		{"a wooden chair and a metal table", "a metal chair and a wooden table", ""},
		{"a small dog and a large cat", "a large dog and a small cat", ""},
		{"a man in a red shirt and a woman in a blue shirt", "a man in a blue shirt and a woman in a red shirt", ""},
		{"a red car in front of a blue car", "a blue car in front of a red car", ""},
		{"a black dog chasing a white dog", "a white dog chasing a black dog", ""},
		{"a red bus by an old house", "an old bus by a red house", "dimension"},
		{"a black cat by a white cat", "a white cat by a black cat", "synonym"},
		{"a yellow banana beside a red apple", "a red banana beside a yellow apple", "implausible"},
		{"a green apple and a yellow lemon", "a yellow apple and a green lemon", ""},
		{"a black dog beside a green frog", "a green dog beside a black frog", "implausible"},
		{"a lady in a pink shoe and blue jeans", "a lady in a blue shoe and pink jeans", ""},
		{"a soft drink and a hard bench", "a hard drink and a soft bench", "-"},
		{"a brown dog and a white sheep in a field", "a white dog and a brown sheep in a field", ""},
		{"a tall man standing next to a short woman", "a short man standing next to a tall woman", ""},
		{"a cow next to a white wall and a bright blue door", "a cow next to a bright blue wall and a white door", ""},
		{"a red mug on top of a blue book", "a blue mug on top of a red book", ""},
		// what says the same of two things by one name
		{"a blue car next to a red car", "a red car next to a blue car", "symmetric"},
		{"a black cat and a white cat", "a white cat and a black cat", "symmetric"},
		{"a blue car and a red car", "a red car and a blue car", "symmetric"},
		{"a small car near a large vehicle", "a large car near a small vehicle", "symmetric"},
		{"a tall man talking to a short man", "a short man talking to a tall man", "symmetric"},
		{"two dogs beside three dogs", "three dogs beside two dogs", "symmetric"},
		{"a car behind a car", "a car in front of a car", "symmetric"},
		{"a man to the left of another man", "a man to the right of another man", "-"},
		// counts
		{"two dogs and three cats", "three dogs and two cats", ""},
		{"Two men by three buses.", "Three men by two buses.", ""},
		{"two dogs and two cats", "two cats and two dogs", "-"},
		{"Three bananas and one apple on a plate", "One banana and three apples on a plate", ""},
		{"one red cup and four plates", "four red cups and one plate", ""},
		{"one dog is next to three cats", "three dogs is next to one cat", "grammar"},
		{"two of three dogs", "three of two dogs", "-"},
		// ends
		{"a dog chasing a cat", "a cat chasing a dog", ""},
		{"A dog chasing a cat in a yard.", "A cat chasing a dog in a yard.", ""},
		{"a boy pushes a girl", "a girl pushes a boy", ""},
		{"a woman photographing a man", "a man photographing a woman", ""},
		{"a dog to the left of a cat", "a cat to the left of a dog", ""},
		{"a man in front of a car", "a car in front of a man", ""},
		{"a man riding a horse", "a horse riding a man", "implausible"},
		{"a police officer photographing a cyclist", "a cyclist photographing a police officer", ""},
		{"a man photographing a player", "a player photographing a man", "synonym"},
		{"a girl kissing a boy", "a boy kissing a girl", "symmetric"},
		{"a tree behind a house", "a house behind a tree", ""},
		{"a white horse in front of a red barn", "a white horse behind a red barn", ""},
		{"a man in a mirror", "a man in front of a mirror", "-"},
		{"a dog next to a cat", "a cat next to a dog", "symmetric"},
		{"a man in a shirt", "a shirt in a man", "implausible"},
		// what two things stand in one relation to
		{"a cat on a table and a dog on a chair", "a cat on a chair and a dog on a table", ""},
		{"a vase on a shelf and a clock on a desk", "a vase on a desk and a clock on a shelf", ""},
		{"a cat in a box and a dog on a table", "a cat on a table and a dog in a box", ""},
		{"a knife on a plate and a fork in a bowl", "a knife in a bowl and a fork on a plate", ""},
		{"a kitten inside a basket and a puppy on a rug", "a kitten on a rug and a puppy inside a basket", ""},
		{"a man on the street and a woman on the sidewalk", "a man on the sidewalk and a woman on the street", "implausible"},
		{"a bird in the sky and a dog on a rug", "a bird on a rug and a dog in the sky", "implausible"},
		{"a man in a suit and a boy on a chair", "a man on a chair and a boy in a suit", "implausible"},
		{"a bottle on a table and a bird in a cage", "a bottle in a cage and a bird on a table", "implausible"},
		{"a man with a cup and a woman with a phone", "a man with a phone and a woman with a cup", "-"},
	} {
		found, reasons := makesOrDrops(t, g, parser, c.caption, c.want)
		switch {
		case c.reason == "" && !found:
			t.Errorf("%q: not %q, dropped for %v", c.caption, c.want, reasons)
		case c.reason != "" && found:
			t.Errorf("%q: has %q", c.caption, c.want)
		case c.reason != "" && c.reason != "-" && !slices.Contains(reasons, c.reason):
			t.Errorf("%q: %q is dropped for %q, want %s", c.caption, c.want, reasons, c.reason)
		}
	}
}

// makesOrDrops reports whether a text is a negative of a caption, or why it was dropped.
func makesOrDrops(t *testing.T, g *Generator, parser *ruleparse.Parser, caption, text string) (makes bool, reasons []string) {
	t.Helper()
	drops := Drops{Each: func(d Dropped) {
		if d.Text == text {
			reasons = append(reasons, d.Reason.String())
		}
	}}
	pools := make([]schemas.Pool, 1)
	if err := g.Texts(context.Background(), &Image{Key: caption, Captions: []Caption{parseWith(parser, caption)}}, pools, &drops); err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(pools[0].Negatives, func(n schemas.HardNegative) bool { return n.Text == text }), reasons
}

// TestPartsOfNamesAreNotExchanged leaves adjectives that belong to a name or to each other.
func TestPartsOfNamesAreNotExchanged(t *testing.T) {
	g, parser := publicGenerator(t)
	for _, caption := range []string{
		"a black and white photo of an old house", "a middle aged man by an old house", "a soft drink by a hard bench", "a small white dog", "the Asian boy by an old house", "", "red",
	} {
		pools := make([]schemas.Pool, 1)
		if err := g.Texts(context.Background(), &Image{Key: caption, Captions: []Caption{parseWith(parser, caption)}}, pools, &Drops{}); err != nil {
			t.Fatal(err)
		}
		for _, n := range pools[0].Negatives {
			if strings.HasPrefix(n.Method, "swap_") {
				t.Errorf("%q: %q", caption, n.Text)
			}
		}
	}
}
