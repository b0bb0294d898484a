package text

import (
	"strings"
)

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "vs": true, "no": true, "jr": true, "sr": true, "prof": true,
	"gen": true, "col": true, "sgt": true, "rev": true, "approx": true, "ca": true, "cf": true, "e.g": true, "i.e": true,
	"etc": true, "inc": true, "ltd": true,
}

// sentenceEnds end a sentence, and sentenceTails may follow them.
const (
	sentenceEnds  = ".!?"
	sentenceTails = `.!?"')]`
)

// NextSentence returns the first sentence of s, with the spaces after it. A sentence ends in a full
// stop, an exclamation or a question mark, perhaps quoted, if a space follows, and then no
// lower-case letter. python/capgraph_torch has the same rule.
func NextSentence(s string) string {
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(sentenceEnds, s[i]) < 0 {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte(sentenceTails, s[end]) >= 0 {
			end++
		}
		next := end
		for next < len(s) && s[next] == ' ' {
			next++
		}
		if next == len(s) || next > end && !isLower(s[next]) && !(s[i] == '.' && isAbbreviation(s[:i])) {
			return s[:next]
		}
		i = end - 1
	}
	return s
}

// Sentences returns the sentences of s, without the spaces between them.
func Sentences(s string) (all []string) {
	for s != "" {
		next := NextSentence(s)
		all = append(all, strings.TrimRight(next, " "))
		s = s[len(next):]
	}
	return all
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }

// isAbbreviation reports whether the last word of s, before a full stop, is an abbreviation or an
// initial.
func isAbbreviation(s string) bool {
	word := s[strings.LastIndexAny(s, ` ("'`)+1:]
	if len(word) == 1 {
		return 'A' <= word[0] && word[0] <= 'Z'
	}
	return len(word) <= 3 && strings.Contains(word, ".") || len(word) <= 6 && abbreviations[strings.ToLower(word)]
}
