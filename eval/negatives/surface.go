package negatives

import (
	"strings"

	"capgraph/internal/ngrams"
)

// strayRules are kinds of stray white space. Each has an example.
var strayRules = []struct {
	example string
	stray   func(text string, t ngrams.Token, first bool) bool
}{
	{"a  dog", func(_ string, t ngrams.Token, first bool) bool { return !first && t.Spaces > 1 }},
	{" a dog", func(_ string, t ngrams.Token, first bool) bool { return first && t.Spaces > 0 }},
	{"a dog .", func(text string, t ngrams.Token, first bool) bool {
		return !first && t.Spaces > 0 && strings.Contains(".,;:!?)", text[t.Begin:t.End])
	}},
	{"a dog 's tail", func(text string, t ngrams.Token, first bool) bool {
		return !first && t.Spaces > 0 && (strings.HasPrefix(text[t.Begin:], "'s ") || strings.HasPrefix(text[t.Begin:], "n't"))
	}},
}

// straySpaces counts the tokens of text with stray white space before them, and white space at its
// end.
func straySpaces(text string, tokens []ngrams.Token) int {
	n := 0
	for i, t := range tokens {
		for _, rule := range strayRules {
			if rule.stray(text, t, i == 0) {
				n++
			}
		}
	}
	if strings.TrimRight(text, " \t\n") != text {
		n++
	}
	return n
}

// doubledWords counts the words that repeat the word right before them.
func doubledWords(text string, tokens []ngrams.Token) int {
	n := 0
	for i := 1; i < len(tokens); i++ {
		a, b := tokens[i-1], tokens[i]
		if a.IsWord && b.IsWord && strings.EqualFold(text[a.Begin:a.End], text[b.Begin:b.End]) {
			n++
		}
	}
	return n
}

func countWords(tokens []ngrams.Token) int {
	n := 0
	for _, t := range tokens {
		if t.IsWord {
			n++
		}
	}
	return n
}
