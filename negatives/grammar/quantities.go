package grammar

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

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

// JustOne is how many of a thing there are that its caption has with "a".
const JustOne = "one"
