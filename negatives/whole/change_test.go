package whole

import (
	"testing"

	"capgraph/internal/lexicon"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// TestChange finds whether a text is its caption with the one change that was asked for.
func TestChange(t *testing.T) {
	parser, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	lex, err := lexicon.Open()
	if err != nil {
		t.Fatal(err)
	}
	v, err := vocabulary.Read(func(func(schemas.Count) bool) {}, lex, lexicon.NewInflector(), vocabulary.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := words.New(v)
	var c Change // one for all: each caption forgets the one before
	for _, x := range []struct {
		caption, kind, written string
		want                   Verdict
		text                   string
	}{
		{"A man riding a horse.", ReplaceObject, "a man riding a camel", Fits, "A man riding a camel."},
		{"A MAN RIDING A HORSE", ReplaceObject, "A man riding a camel.", Fits, "A MAN RIDING A CAMEL"},
		{"a man riding a horse", ReplaceObject, "A man riding a horse.", SameText, "a man riding a horse"},
		{"a man riding a horse", ReplaceObject, "The man is riding the horse.", SameMeaning, "the man is riding the horse"},
		{"a man riding a horse", ReplaceObject, "a man feeding a camel", OtherChange, "a man feeding a camel"},
		{"a man riding a horse", ReplaceObject, "a man riding an camel", BadGrammar, "a man riding an camel"},
		{"a man riding a horse", "no such type", "a man riding a camel", OtherChange, "a man riding a camel"},
		{"a red bus on a street", ReplaceAttribute, "a blue bus on a street", Fits, "a blue bus on a street"},
		{"a dog chasing a cat", SwapObjects, "a cat chasing a dog", Fits, "a cat chasing a dog"},
		{"a man riding a horse", AddAttribute, "a man riding a brown horse", Fits, "a man riding a brown horse"},
	} {
		c.Begin(w, x.caption, parser)
		if !c.Read(x.written, parser) {
			t.Errorf("%q is no caption", x.written)
			continue
		}
		if got := c.Check(w, x.kind); got != x.want || c.Text() != x.text {
			t.Errorf("%s of %q: verdict %d on %q, want %d on %q", x.kind, x.caption, got, c.Text(), x.want, x.text)
		}
	}
	c.Begin(w, "a man riding a horse", parser)
	for _, written := range []string{"", ".", "a man riding a *camel*", "a man riding a horse. There is a camel.", "a man\x00"} {
		if c.Read(written, parser) {
			t.Errorf("%q is a caption", written)
		}
	}
	c.Begin(w, "", parser)
	if c.Read("a man", parser) {
		t.Error("no caption was changed")
	}
}
