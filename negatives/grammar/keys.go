package grammar

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// NounKey is how an object is counted and compared: its name with the last word
// in the singular ("tennis racket"). plural says how it was inflected.
func NounKey(in *lexicon.Inflector, o *schemas.Object) (key string, plural bool) {
	i := strings.LastIndexByte(o.Name, ' ') + 1
	before, last := o.Name[:i], o.Name[i:]
	switch {
	case in.IsPluralOnly(last):
		return o.Name, true
	case last == o.Head || o.Head == "":
		return o.Name, false
	case in.Plural(o.Head) == last || in.Singular(last) == o.Head:
		return before + o.Head, true
	}
	// The head is not the last word, as in "slices of pizza".
	if j := strings.IndexByte(o.Name, ' '); j > 0 && o.Name[:j] != o.Head && in.Singular(o.Name[:j]) == o.Head {
		return o.Head + o.Name[j:], true
	}
	return o.Name, false
}
