package negatives

import (
	"slices"
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

// sortedWords returns the words in lower case, sorted. Words with hyphens are divided, since CLIP's tokenizer does
// not see whether "face-forward" is written with spaces.
func sortedWords(text string, tokens []ngrams.Token) []string {
	words := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if t.IsWord {
			for part := range strings.SplitSeq(strings.ToLower(text[t.Begin:t.End]), "-") {
				words = append(words, part)
			}
		}
	}
	slices.Sort(words)
	return words
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

// soundRules give, for the beginning of a word, whether the word begins with a vowel sound; the longest matching
// beginning decides. Each has an example. They are independent of the generator's grammar, which they measure.
var soundRules = []struct {
	prefix  string
	vowel   bool
	example string
}{
	{"a", true, "apple"}, {"e", true, "egg"}, {"i", true, "inn"}, {"o", true, "owl"}, {"u", true, "umbrella"},
	{"hour", true, "hourglass"}, {"honest", true, "honest"}, {"honor", true, "honorary"}, {"honour", true, "honour"},
	{"heir", true, "heirloom"},
	{"eu", false, "european"}, {"ew", false, "ewe"}, {"once", false, "once"}, {"one", false, "one-way"},
	{"ouija", false, "ouija"}, {"u-", false, "u-turn"}, {"u.", false, "u.s."}, {"uk", false, "uk"}, {"us", true, "usher"}, {"use", false, "used"},
	{"usu", false, "usual"}, {"uti", false, "utility"}, {"ute", false, "utensil"}, {"ufo", false, "ufo"},
	{"uni", false, "unicorn"}, {"unin", true, "uninteresting"}, {"unim", true, "unimpressed"}, {"unid", true, "unidentified"},
	{"uku", false, "ukulele"}, {"ura", false, "uranium"}, {"uri", false, "urinal"}, {"usb", false, "usb"}, {"usa", false, "usa"},
	{"8", true, "8"}, {"11", true, "11"}, {"18", true, "18"},
}

// hasVowelSound reports whether word, in lower case, begins with a vowel sound.
func hasVowelSound(word string) bool {
	vowel, longest := false, 0
	for _, r := range soundRules {
		if len(r.prefix) > longest && strings.HasPrefix(word, r.prefix) {
			vowel, longest = r.vowel, len(r.prefix)
		}
	}
	return vowel
}

// articleErrors counts "a" before a vowel sound and "an" before another one. A word of one letter,
// or in capitals, may be spelt out and is not counted.
func articleErrors(text string, tokens []ngrams.Token) int {
	n := 0
	for i := 1; i < len(tokens); i++ {
		article, next := tokens[i-1], tokens[i]
		word := text[next.Begin:next.End]
		if !next.IsWord || len(word) < 2 && (word < "0" || word > "9") || len(word) > 1 && word == strings.ToUpper(word) && word != strings.ToLower(word) {
			continue
		}
		switch strings.ToLower(text[article.Begin:article.End]) {
		case "a":
			if hasVowelSound(strings.ToLower(word)) {
				n++
			}
		case "an":
			if !hasVowelSound(strings.ToLower(word)) {
				n++
			}
		}
	}
	return n
}
