package negatives

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// The kinds of count, each with its key; parts of a key are separated by a tab.
const (
	CountObject      = "object"       // name: "tennis racket"
	CountAttribute   = "attribute"    // attribute: "red"
	CountRelation    = "relation"     // relation: "sitting on"
	CountQuantity    = "quantity"     // quantity: "two"
	CountAction      = "action"       // tag, verb: "VBG\tsitting"
	CountUsage       = "usage"        // name, form: "a", "the", "bare", "plural", or "first" for bare as a caption's first words; and "name" as well for a name
	CountAttributeOf = "attribute_of" // head, attribute
	CountSubjectOf   = "subject_of"   // relation, name of its subject
	CountObjectOf    = "object_of"    // relation, name of its object
	CountBetween     = "between"      // head of the subject, head of the object, relation
	CountActionOf    = "action_of"    // tag, noun before the verb, its complement, verb
	CountContext     = "context"      // tag, word before, word after, word
)

// Counter counts captions. It is not safe for concurrent use.
type Counter struct {
	inflect *lexicon.Inflector
	key     []byte
	names   []string
	lower   []string
}

// NewCounter makes a counter.
func NewCounter() *Counter { return &Counter{inflect: lexicon.NewInflector()} }

// Count adds, in pass 1, the counts of a caption that NewVocabulary needs.
func (c *Counter) Count(caption *Caption, add func(kind, key string, n int64)) {
	count := func(kind string, parts ...string) {
		c.key = c.key[:0]
		for i, p := range parts {
			if i > 0 {
				c.key = append(c.key, '\t')
			}
			c.key = append(c.key, p...)
		}
		add(kind, string(c.key), 1)
	}
	g := &caption.Graph
	c.names = c.names[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		name, plural := nounKey(c.inflect, o)
		c.names = append(c.names, name)
		if name == "" {
			continue
		}
		count(CountObject, name)
		count(CountUsage, name, usageOf(caption, o, plural))
		if taggedName(caption, o) && !titled(caption.Text, caption.Tokens) {
			count(CountUsage, name, "name")
		}
		if o.Quantity != "" {
			count(CountQuantity, o.Quantity)
		}
		for _, a := range o.Attributes {
			if verb, _ := finite(caption, &a); a.Text != "" && verb == nil {
				count(CountAttribute, a.Text)
				count(CountAttributeOf, o.Head, a.Text)
			}
		}
	}
	for i, r := range g.Relations {
		predicate, lemma := relationWords(g, i)
		rel := canonical(c.inflect, predicate, lemma)
		s, o := c.names[r.Subject], c.names[r.Object]
		if rel == "" || s == "" || o == "" {
			continue
		}
		count(CountRelation, rel)
		count(CountSubjectOf, rel, s)
		count(CountObjectOf, rel, o)
		count(CountBetween, g.Objects[r.Subject].Head, g.Objects[r.Object].Head, rel)
	}
	c.countTokens(caption, count)
}

// countTokens counts actions, and the words that may be replaced between their
// neighbours.
func (c *Counter) countTokens(caption *Caption, count func(kind string, parts ...string)) {
	c.lower = c.lower[:0]
	for _, t := range caption.Tokens {
		c.lower = append(c.lower, strings.ToLower(caption.Text[t.Begin:t.End]))
	}
	noun := ""
	for i, t := range caption.Tokens {
		if isNounTag(t.Tag) {
			noun = t.Lemma
		}
		if isAction(&t) {
			count(CountAction, t.Tag, c.lower[i])
			if noun != "" {
				count(CountActionOf, t.Tag, noun, complement(caption.Tokens, c.lower, i), c.lower[i])
			}
		}
		if isAction(&t) || isNounTag(t.Tag) || t.Tag == "JJ" {
			count(CountContext, t.Tag, wordBefore(c.lower, i), wordAfter(c.lower, i), c.lower[i])
		}
	}
}

// usageOf says how an object stands in its caption. At its beginning captions leave
// articles out: "Silhouette of a man".
func usageOf(c *Caption, o *schemas.Object, plural bool) string {
	if plural {
		return "plural"
	}
	if o.Quantity != "" {
		return "a"
	}
	switch determiner(c, o) {
	case "a", "an", "another", "one":
		return "a"
	case "":
		if firstOf(o) <= 0 {
			return "first"
		}
		return "bare"
	}
	return "the"
}

// determiner is the determiner before an object and its attributes, in lower
// case; empty where there is none.
func determiner(c *Caption, o *schemas.Object) string {
	begin := firstOf(o)
	for i := len(c.Tokens) - 1; i >= 0; i-- {
		t := &c.Tokens[i]
		if t.End > begin {
			continue
		}
		switch t.Tag {
		case "DT", "PRP$", "PDT", "WP$", "POS":
			return strings.ToLower(c.Text[t.Begin:t.End])
		case "JJ", "JJS", "JJR", "RB", "CD", "NN", "VBN", "VBG":
			// A modifier that the graph does not have.
			if i > 0 && c.Tokens[i-1].Tag == "DT" {
				return strings.ToLower(c.Text[c.Tokens[i-1].Begin:c.Tokens[i-1].End])
			}
		}
		return ""
	}
	return ""
}

// firstOf is where an object and its attributes begin.
func firstOf(o *schemas.Object) int32 {
	begin := o.Begin
	for _, a := range o.Attributes {
		if a.Form == schemas.Pre && a.Begin >= 0 && a.Begin < begin {
			begin = a.Begin
		}
	}
	return begin
}

func isNounTag(tag string) bool { return tag == "NN" || tag == "NNS" }

// direct is the complement that is a noun phrase right after the verb.
const direct = "object"

// complement says what follows the verb at i: direct, or the word that is there,
// of a particle with whether a noun phrase follows it.
func complement(tokens []schemas.Token, lower []string, i int) string {
	word := wordAfter(lower, i)
	switch {
	case beginsPhrase(tokens, i+1):
		return direct
	case contains(particles, word) && beginsPhrase(tokens, i+2):
		return word + " " + direct
	}
	return word
}

// beginsPhrase holds where the token at i may be the first of a noun phrase.
func beginsPhrase(tokens []schemas.Token, i int) bool {
	for ; i < len(tokens); i++ {
		switch tokens[i].Tag {
		case "DT", "CD", "PRP$", "NN", "NNS", "NNP", "NNPS", "PRP":
			return true
		case "JJ", "CC", ",": // not in "standing tall"
		default:
			return false
		}
	}
	return false
}

// isAction holds for verbs that say what is done.
func isAction(t *schemas.Token) bool {
	return len(t.Tag) >= 2 && t.Tag[:2] == "VB" && t.Lemma != "be" && t.Lemma != "have" && t.Lemma != "do"
}

// wordBefore is the word before i, or "<" at the beginning.
func wordBefore(words []string, i int) string {
	if i == 0 {
		return "<"
	}
	return words[i-1]
}

// wordAfter is the word after i, or ">" at the end.
func wordAfter(words []string, i int) string {
	if i+1 == len(words) {
		return ">"
	}
	return words[i+1]
}
