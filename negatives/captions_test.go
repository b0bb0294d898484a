package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestExamplesOfOthers fills no noun that is one of what follows.
func TestExamplesOfOthers(t *testing.T) {
	var w captionWords
	for text, want := range map[string]bool{
		"fries/NNS and/CC a/DT few/JJ other/JJ dishes/NNS": true,
		"fries/NNS and/CC a/DT dish/NN":                    false,
		"other/JJ fries/NNS":                               true,
		"fries/NNS":                                        false,
		"a/DT man/NN other/JJ":                             false,
	} {
		c := tagged(text)
		w.read(nil, &c, nil)
		at := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return strings.HasPrefix(t.Tag, "NN") })
		if got := w.isOneOfList(at, at); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
