package negatives

import (
	"strings"

	"capgraph/negatives/words"
)

// clashes reports whether a new attribute at begin to end does not fit another attribute before the
// noun at head: "a clear, overcast blue sky" from "a clear, bright blue sky".
func (w *captionWords) clashes(begin, end, head int, is *words.Property) bool {
	if head < 0 {
		return false
	}
	first := head
	for w.hasTag(first-1, nouns) {
		first--
	}
	for w.hasTag(first-1, tagJJ|tagVBN|tagVBG|tagCC|tagComma|tagRB) {
		first--
	}
	var others []*words.Property
	for j := first; j < head; j++ {
		if (j < begin || j > end) && w.hasTag(j, tagJJ|tagVBN|tagVBG|nouns) {
			others = append(others, w.words.Property(w.lower[j]).Core)
		}
	}
	return w.words.ClashesIn(w.nounAt(head, head), others, w.words.Property(strings.ToLower(w.textOf(begin, end))).Core, is)
}
