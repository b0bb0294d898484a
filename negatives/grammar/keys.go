package grammar

import (
	"strings"

	"capgraph/internal/lexicon"
)

// NounKey returns the key by which an object is counted and compared: its name with the last word
// in the singular ("tennis racket"). plural reports whether the name was a plural.
func NounKey(in *lexicon.Inflector, name, head string) (key string, plural bool) {
	i := strings.LastIndexByte(name, ' ') + 1
	before, last := name[:i], name[i:]
	switch {
	case in.IsPluralOnly(last):
		return name, true
	case last == head || head == "":
		return name, false
	case in.Plural(head) == last || in.Singular(last) == head:
		return before + head, true
	}
	// The head is not the last word, as in "slices of pizza".
	if j := strings.IndexByte(name, ' '); j > 0 && name[:j] != head && in.Singular(name[:j]) == head {
		return head + name[j:], true
	}
	return name, false
}
