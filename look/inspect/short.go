package inspect

import "strings"

// shownRunes are those of a text that are shown where many are.
const shownRunes = 300

// Short cuts a text that is too long to be shown beside others.
func Short(text string) string {
	n := 0
	for i := range text {
		if n == shownRunes {
			return strings.ToValidUTF8(text[:i], "\uFFFD") + "…"
		}
		n++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
