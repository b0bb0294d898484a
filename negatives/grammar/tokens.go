package grammar

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/schemas"
)

// IsNounTag is true for the tags of common nouns.
func IsNounTag(tag string) bool { return tag == "NN" || tag == "NNS" }

// Direct is the complement that is a noun phrase right after the verb.
const Direct = "object"

// Complement says what follows the verb at i: direct, or the word that is there,
// of a particle with whether a noun phrase follows it.
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

// beginsPhrase reports whether the token at i may be the first of a noun phrase.
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

// IsAction is true for verbs that say what is done.
func IsAction(t *schemas.Token) bool {
	return len(t.Tag) >= 2 && t.Tag[:2] == "VB" && t.Lemma != "be" && t.Lemma != "have" && t.Lemma != "do"
}

// WordBefore is the word before i, or "<" at the beginning.
func WordBefore(words []string, i int) string {
	if i == 0 {
		return "<"
	}
	return words[i-1]
}

// WordAfter is the word after i, or ">" at the end.
func WordAfter(words []string, i int) string {
	if i+1 == len(words) {
		return ">"
	}
	return words[i+1]
}
