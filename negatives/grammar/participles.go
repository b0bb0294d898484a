package grammar

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// Finite is the verb that an attribute begins with, in a finite form ("looks on"), or
// nil. A tagger may have taken it for a noun.
func Finite(c *Caption, a *schemas.Attribute) (verb *schemas.Token, noun bool) {
	if a.Form != schemas.Post || a.Begin < 0 || strings.HasSuffix(a.Text, "ing") {
		return nil, false
	}
	i, ok := slices.BinarySearchFunc(c.Tokens, a.Begin, func(t schemas.Token, begin int32) int { return cmp.Compare(t.Begin, begin) })
	if !ok {
		return nil, false
	}
	switch t := &c.Tokens[i]; t.Tag {
	case "VB", "VBP", "VBZ":
		if !wordclass.Has(states, t.Lemma) {
			return t, false
		}
	case "NN", "NNS":
		if wordclass.Has(deeds, t.Lemma) {
			return t, true
		}
	}
	return nil, false
}
