package negatives

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// partitive holds for what a caption says with "of" before an object's noun, the
// "slice" of "a slice of pizza"; it is no attribute to be said without "of".
func partitive(c *Caption, a *schemas.Attribute) bool {
	return a.Begin >= 0 && a.Form == schemas.Pre && int(a.End) < len(c.Text) && strings.HasPrefix(c.Text[a.End:], " of ")
}

// withArticle gives a quantity the article that a caption leaves out at its beginning:
// "group of people".
func withArticle(quantity string) string {
	if group, ok := strings.CutSuffix(quantity, " of"); ok && contains(groups, group) {
		return "a " + quantity
	}
	return quantity
}

// isSeveral reports whether a quantity counts more than one: a noun after it is a
// plural, also where the caption has it in the singular ("two zebra").
func isSeveral(quantity string) bool {
	if strings.Trim(quantity, "0123456789") == "" {
		return quantity != "" && quantity != "1"
	}
	return slices.Contains(several, quantity)
}

var several = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "both", "few", "a few", "many", "multiple", "numerous", "several"}

// amounts are nouns that what follows with "of" is a mass or several of.
var amounts = groups + "amount assortment lots piles plenty variety "

// isAmount reports whether two words, which stand before a noun, or the last of them alone, say an
// amount of a mass or of several: "some", "lots of".
func isAmount(before, last string) bool {
	return contains(" some any much more enough ", last) || last == "of" && contains(amounts, before)
}

// lastWords are the last two of a quantity.
func lastWords(quantity string) (before, last string) {
	i := strings.LastIndexByte(quantity, ' ')
	before, last = quantity[:max(i, 0)], quantity[i+1:]
	return before[strings.LastIndexByte(before, ' ')+1:], last
}

// portions are words before "of" and what is had by them or made of it, which stays bare:
// "a plate of pizza", "a game of frisbee", "made of wood".
const portions = ` bag bottle bowl box can case consisting cup dish full game glass jar made match meal mug order out pan pile plate platter pot
school serving slice stack tray bird animal `

// portioned holds for an object right after such a word and "of".
func portioned(c *Caption, o *schemas.Object) bool {
	begin := firstOf(o)
	i := slices.IndexFunc(c.Tokens, func(t schemas.Token) bool { return t.Begin == begin })
	if i < 2 || strings.ToLower(c.Text[c.Tokens[i-1].Begin:c.Tokens[i-1].End]) != "of" {
		return false
	}
	before := &c.Tokens[i-2]
	return contains(portions, before.Lemma) || contains(portions, strings.ToLower(c.Text[before.Begin:before.End]))
}
