package negatives

import (
	"strings"

	"capgraph/internal/ngrams"
)

// functionWords have no content of their own. A sibling caption with them proves nothing.
var functionWords = wordSet(`a an the this that these those some any each every other another its his her their
	is are was were be been being am has have had do does did can could will would to of in on at by for from with
	and or but as it he she they them him who which there near next into onto over under up down out off while`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// contentWords returns the content words of text, in lower case and without a plural s, as often as
// each occurs.
func contentWords(text string) []string {
	text = strings.ToLower(text)
	var words []string
	for _, t := range ngrams.AppendTokens(nil, text) {
		if w := text[t.Begin:t.End]; t.IsWord && !functionWords[w] {
			words = append(words, stripPlural(w))
		}
	}
	return words
}

// stripPlural removes the plural s of a word: "buses", "dogs".
func stripPlural(word string) string {
	for _, ending := range []string{"ses", "xes", "shes", "ches"} {
		if len(word) > len(ending)+1 && strings.HasSuffix(word, ending) {
			return word[:len(word)-2]
		}
	}
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// subtractWords returns the words of a without those of b, each as often as it occurs.
func subtractWords(a, b []string) []string {
	taken := map[string]int{}
	for _, w := range b {
		taken[w]++
	}
	var left []string
	for _, w := range a {
		if taken[w] > 0 {
			taken[w]--
			continue
		}
		left = append(left, w)
	}
	return left
}

// isSaidByAny reports whether one of the captions has all of the words.
func isSaidByAny(words []string, captions [][]string) bool {
	for _, c := range captions {
		if len(subtractWords(words, c)) == 0 {
			return true
		}
	}
	return false
}
