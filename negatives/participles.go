package negatives

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/schemas"
)

// finite is the verb that an attribute begins with, in a finite form ("looks on"), or
// nil. A tagger may have taken it for a noun.
func finite(c *Caption, a *schemas.Attribute) (verb *schemas.Token, noun bool) {
	if a.Form != schemas.Post || a.Begin < 0 || strings.HasSuffix(a.Text, "ing") {
		return nil, false
	}
	i, ok := slices.BinarySearchFunc(c.Tokens, a.Begin, func(t schemas.Token, begin int32) int { return cmp.Compare(t.Begin, begin) })
	if !ok {
		return nil, false
	}
	switch t := &c.Tokens[i]; t.Tag {
	case "VB", "VBP", "VBZ":
		if !contains(states, t.Lemma) {
			return t, false
		}
	case "NN", "NNS":
		if contains(deeds, t.Lemma) {
			return t, true
		}
	}
	return nil, false
}

// attributeText is how an attribute of noun n is said: a verb of which the caption has
// a finite form as a participle, "looking on" of "people look on".
func (w *words) attributeText(c *Caption, n *noun, a *schemas.Attribute) string {
	verb, noun := finite(c, a)
	if verb == nil || noun && !n.alive() || w.lexicon.Verb(verb.Lemma) == nil {
		return a.Text
	}
	_, particle := cut(a.Text)
	return join(w.inflect.Gerund(verb.Lemma), particle)
}
