package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"capgraph/ruleparse/internal/encoder"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
)

// TestLongTextsAreReadInWindows has texts of more pieces than the encoder takes together, tokens of many pieces and
// tokens of none among them.
func TestLongTextsAreReadInWindows(t *testing.T) {
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	e, err := model.Encoder()
	if err != nil {
		t.Fatal(err)
	}
	vectors := func(text string) []float32 {
		var x tokens.Text
		m.Reader.Read(&x, text)
		v := e.Vectors(x.Tokens)
		if len(v) != len(x.Tokens)*encoder.Width {
			t.Errorf("%.20q: %d numbers for %d tokens", text, len(v), len(x.Tokens))
		}
		return v
	}
	const sentence = "a red dog and a blue cat . " // 8 tokens, each a piece
	full := strings.Repeat(sentence, 63)           // 504 pieces
	for _, text := range []string{
		"", "a dog", full, full + "a dog and a cat", strings.Repeat("dog ", 510), strings.Repeat("dog ", 511), strings.Repeat("dog ", 1200),
		"a dog " + strings.Repeat("犬", 600) + " a cat", strings.Repeat("-", 2000), strings.Repeat("\u200b ", 700), strings.Repeat("unknowable", 30) + strings.Repeat(" é", 600),
	} {
		vectors(text)
	}
	long := vectors(full + sentence + sentence)
	if alone := vectors(full); !slices.Equal(long[:len(alone)], alone) {
		t.Error("the first window does not end with the last sentence that fits")
	}
	if alone := vectors(sentence + sentence); !slices.Equal(long[len(long)-len(alone):], alone) {
		t.Error("the second window does not begin with a sentence")
	}
	if dogs := vectors(strings.Repeat("dog ", 511)); !slices.Equal(dogs[510*encoder.Width:], vectors("dog")) {
		t.Error("without sentences a window is not full")
	}
}
