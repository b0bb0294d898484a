package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// Sayable reports whether a text has only words of letters, digits, hyphens and apostrophes with
// single spaces between them, and no word twice in a row: no "fire fire truck".
func Sayable(s string) bool {
	space := true // no apostrophe or space may follow
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

// Cut returns the first word of a text and the rest after it.
func Cut(s string) (first, after string) {
	first, after, _ = strings.Cut(s, " ")
	return first, after
}

// Join joins two words with a space, or returns a if b is empty.
func Join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}
