package inspect

import "strings"

// maxShownRunes are those of a text that are shown where many are.
const maxShownRunes = 300

// Shorten cuts a text that is too long to be shown beside others.
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
