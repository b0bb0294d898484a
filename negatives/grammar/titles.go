package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// BeforeSpace is the first of several words.
func BeforeSpace(name string) string {
	first, after := Cut(name)
	if after == "" {
		return ""
	}
	return first
}

// TaggedName reports whether the last word of an object has the tag of a name.
func TaggedName(c *Caption, o *schemas.Object) bool {
	for i := range c.Tokens {
		if t := &c.Tokens[i]; t.End == o.End {
			return t.Tag == "NNP" || t.Tag == "NNPS"
		}
	}
	return false
}

// Titled reports whether all long words of a caption have a capital, but for prepositions and their
// like and measures, so that one says nothing of a word in its middle: "Leather Wallet with 15cm Zip".
func Titled(text string, tokens []schemas.Token) bool {
	capitals := 0
	for i := range tokens {
		word := text[tokens[i].Begin:tokens[i].End]
		if strings.ContainsFunc(word, unicode.IsUpper) {
			capitals++
		} else if utf8.RuneCountInString(word) > 3 && strings.ContainsFunc(word, unicode.IsLower) && !strings.ContainsFunc(word, unicode.IsDigit) && !wordclass.Has(" IN TO CC DT RP PRP$ ", tokens[i].Tag) {
			return false
		}
	}
	return capitals > 1
}
