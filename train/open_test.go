package train

import (
	"strings"
	"testing"

	"capgraph/train/tokenizer"
)

// TestTextsWithTheSameTokens are those whose difference comes after the tokens that the text tower reads.
func TestTextsWithTheSameTokens(t *testing.T) {
	clip, err := tokenizer.NewCLIP()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a dog on a mat and ", 15)
	for _, c := range []struct {
		a, b   string
		tokens int
		want   bool
	}{
		{long + "a red car", long + "a blue car", 77, true},
		{long + "a red car", long + "a blue car", 248, false},
		{long + "a red car", strings.Replace(long, "dog", "cat", 1) + "a red car", 77, false},
		{long, "a red car", 77, false},
		{"a red car", "a blue car", 77, false},
		{"a red car", "a red bus", 4, true}, // the marks, "a" and "red"
		{"", "", 77, false},
	} {
		of, err := clip.WithContext(c.tokens)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&training{tokenizer: of}).haveSameTokens(c.a, c.b); got != c.want {
			t.Errorf("%q and %q within %d tokens: %t, want %t", c.a, c.b, c.tokens, got, c.want)
		}
	}
}
