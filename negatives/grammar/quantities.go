package grammar

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// Partitive reports whether a text before an object's noun ends in "of", as the "slice" of "a slice
// of pizza"; it is no attribute without "of".
func Partitive(c *Caption, a *schemas.Attribute) bool {
	return a.Begin >= 0 && a.Form == schemas.Pre && int(a.End) < len(c.Text) && strings.HasPrefix(c.Text[a.End:], " of ")
}

// WithArticle returns a quantity with the article that a caption omits at its beginning: "group of
// people".
func WithArticle(quantity string) string {
	if group, ok := strings.CutSuffix(quantity, " of"); ok && wordclass.Has(groups, group) {
		return "a " + quantity
	}
	return quantity
}

// IsSeveral reports whether a quantity counts more than one: a noun after it is a
// plural, even if the caption has it in the singular ("two zebra").
func IsSeveral(quantity string) bool {
	if strings.Trim(quantity, "0123456789") == "" {
		return quantity != "" && quantity != "1"
	}
	return slices.Contains(several, quantity)
}

var several = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "both", "few", "a few", "many", "multiple", "numerous", "several"}

// amounts are nouns that what follows with "of" is a mass or several of.
var amounts = groups + "amount assortment lots piles plenty variety "

// IsAmount reports whether two words, which stand before a noun, or the last of them alone, say an
// amount of a mass or of several: "some", "lots of".
func IsAmount(before, last string) bool {
	return wordclass.Has(" some any much more enough ", last) || last == "of" && wordclass.Has(amounts, before)
}

// LastWords are the last two of a quantity.
func LastWords(quantity string) (before, last string) {
	i := strings.LastIndexByte(quantity, ' ')
	before, last = quantity[:max(i, 0)], quantity[i+1:]
	return before[strings.LastIndexByte(before, ' ')+1:], last
}

// Portioned is true for an object right after such a word and "of".
func Portioned(c *Caption, o *schemas.Object) bool {
	begin := FirstOf(o)
	i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Begin == begin })
	if i < 2 || strings.ToLower(c.Text[c.Tokens[i-1].Begin:c.Tokens[i-1].End]) != "of" {
		return false
	}
	before := &c.Tokens[i-2]
	return wordclass.Has(portions, before.Lemma) || wordclass.Has(portions, strings.ToLower(c.Text[before.Begin:before.End]))
}

// JustOne is how many of a thing there are that its caption has with "a".
const JustOne = "one"

// TellsOthers reports whether a caption goes on with others of an object's kind, without their noun: "one dog is black,
// the other is white".
func TellsOthers(c *Caption, o *schemas.Object) bool {
	word := func(i int) string { return strings.ToLower(c.Text[c.Tokens[i].Begin:c.Tokens[i].End]) }
	for i := range c.Tokens {
		if t := &c.Tokens[i]; t.Begin < o.End || i+1 < len(c.Tokens) && strings.HasPrefix(c.Tokens[i+1].Tag, "N") {
			continue
		}
		if w := word(i); w == "another" || i > 0 && word(i-1) == "the" && wordclass.Has(" other others second third ", w) {
			return true
		}
	}
	return false
}
