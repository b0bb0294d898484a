package grammar

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

// IsSeveral reports whether a quantity is more than one. A noun after it is a plural, even if it
// has the form of a singular ("two zebra").
func IsSeveral(quantity string) bool {
	if strings.Trim(quantity, "0123456789") == "" {
		return quantity != "" && quantity != "1"
	}
	return slices.Contains(several, quantity)
}

var several = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "both", "few", "a few", "many", "multiple", "numerous", "several"}

// amounts are nouns before "of" and a mass noun or a plural: "lots of".
var amounts = groups + "amount assortment lots piles plenty variety "

// IsAmount reports whether the two words before a noun, or the last of them alone, are an amount of
// a mass noun or a plural: "some", "lots of".
func IsAmount(before, last string) bool {
	return wordclass.Has(" some any much more enough ", last) || last == "of" && wordclass.Has(amounts, before)
}

// LastWords returns the last two words of a quantity.
func LastWords(quantity string) (before, last string) {
	i := strings.LastIndexByte(quantity, ' ')
	before, last = quantity[:max(i, 0)], quantity[i+1:]
	return before[strings.LastIndexByte(before, ' ')+1:], last
}

// JustOne is the quantity of a thing that its caption has with "a".
const JustOne = "one"
