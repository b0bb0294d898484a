package inspect

import "strings"

// maxShownRunes is how many characters Shorten keeps at most.
const maxShownRunes = 300

// Shorten cuts off a text after 300 characters, with an ellipsis.
func Shorten(text string) string {
	n := 0
	for i := range text {
		if n == maxShownRunes {
			return strings.ToValidUTF8(text[:i], "\uFFFD") + "…"
		}
		n++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
