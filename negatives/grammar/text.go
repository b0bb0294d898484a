package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// Sayable reports whether a text has words of letters, digits, hyphens and apostrophes with single
// spaces between them, and none twice in a row: no "fire fire truck".
func Sayable(s string) bool {
	space := true // an apostrophe or a space may not follow one
	for _, r := range s {
		switch {
		case r == ' ' || r == '\'':
			if space {
				return false
			}
			space = r == ' '
		case r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			space = false
		default:
			return false
		}
	}
	words := strings.Fields(s)
	return !space && len(slices.Compact(words)) == len(words)
}

// Cut is the first word and what comes after it.
func Cut(s string) (first, after string) {
	first, after, _ = strings.Cut(s, " ")
	return first, after
}

// Join puts a space between two words, where there is a second.
func Join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}
