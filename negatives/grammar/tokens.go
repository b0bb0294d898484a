package grammar

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// IsNounTag reports whether a tag is for common nouns.
func IsNounTag(tag string) bool { return tag == "NN" || tag == "NNS" }

// Direct stands for a noun phrase right after the verb in what Complement returns.
const Direct = "object"

// Complement returns what follows the verb at i: Direct if it is a noun phrase, else the next word,
// such as "on". If that word is a particle and a noun phrase follows it, Direct is added: "up
// object".
func Complement(tokens []schemas.Token, lower []string, i int) string {
	word := WordAfter(lower, i)
	switch {
	case beginsPhrase(tokens, i+1):
		return Direct
	case wordclass.Has(particles, word) && beginsPhrase(tokens, i+2):
		return word + " " + Direct
	}
	return word
}

// beginsPhrase reports whether a noun phrase begins at token i.
func beginsPhrase(tokens []schemas.Token, i int) bool {
	for ; i < len(tokens); i++ {
		switch tokens[i].Tag {
		case "DT", "CD", "PRP$", "NN", "NNS", "NNP", "NNPS", "PRP":
			return true
		case "JJ", "CC", ",": // skipped: "standing tall" has no noun
		default:
			return false
		}
	}
	return false
}

// IsAction reports whether a token is a verb other than "be", "have" and "do".
func IsAction(t *schemas.Token) bool {
	return len(t.Tag) >= 2 && t.Tag[:2] == "VB" && t.Lemma != "be" && t.Lemma != "have" && t.Lemma != "do"
}

// WordBefore returns the word before i, or "<" at the beginning.
func WordBefore(words []string, i int) string {
	if i == 0 {
		return "<"
	}
	return words[i-1]
}

// WordAfter returns the word after i, or ">" at the end.
func WordAfter(words []string, i int) string {
	if i+1 == len(words) {
		return ">"
	}
	return words[i+1]
}
