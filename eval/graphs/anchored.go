package graphs

import (
	"fmt"
	"strings"

	"capgraph/internal/annotated"
)

// tripleOf returns t for people to read. An object is the word of text that ends it, with @2 for
// the second place of a word.
func tripleOf(t annotated.Tuple, text string) Triple {
	switch s := wordEndingAt(text, t.Subject); t.Kind {
	case annotated.ObjectTuple:
		return Triple{Subject: s}
	case annotated.AttributeTuple:
		return Triple{Subject: s, Predicate: "is", Object: t.Words}
	case annotated.QuantityTuple:
		return Triple{Subject: s, Predicate: "is", Object: "× " + t.Words}
	default:
		return Triple{Subject: s, Predicate: t.Words, Object: wordEndingAt(text, t.Object)}
	}
}

func wordEndingAt(text string, end int) string {
	if end <= 0 || end > len(text) {
		return "?"
	}
	before := strings.FieldsFunc(text[:end], func(r rune) bool { return strings.ContainsRune(" \t,;:.!?\"()", r) })
	if len(before) == 0 {
		return "?"
	}
	word, n := before[len(before)-1], 0
	for _, w := range before {
		if strings.EqualFold(w, word) {
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s@%d", word, n)
	}
	return word
}
