package clean

import (
	"strings"

	"capgraph/internal/text"
)

// minPeriods is how often the same words must end a text to count as the endless repetition of a model.
const minPeriods = 4

// maxPeriod is the greatest length in bytes of a repeated passage.
const maxPeriod = 512

// A text that ends without a full stop counts as cut off only if it has at least this many words
// and this many whole sentences. Titles and alt texts are shorter.
const (
	cutWords     = 40
	cutSentences = 2
)

// openWords are words that cannot end a sentence.
var openWords = newWordSet("a an the and or but of with at from into onto to its their his our this these those is are was were has have as that which who while when")

func newWordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// dropRepeats removes what a model repeats: sentences that occurred before, and the words that the
// text ends in four or more times, of which one copy stays.
func dropRepeats(s string, _ Options, found *findings) string {
	if cut, all := findLoop(s); cut < len(s) {
		found.loop = found.loop || all
		s = strings.TrimRight(s[:cut], " ")
		found.Noise |= NoiseRepeat
	}
	first := text.NextSentence(s)
	if len(first) == len(s) {
		return s
	}
	seen := map[string]bool{}
	return filterSentences(s, func(sentence string) bool {
		key := strings.ToLower(strings.TrimRight(sentence, " "))
		again := seen[key] && strings.Contains(key, " ") // "Wow!" is none
		seen[key] = true
		if again {
			found.Noise |= NoiseRepeat
		}
		return !again
	})
}

// findLoop returns the end of the first copy of words that s repeats up to its end; len(s) if it
// repeats none. The words must have a space and a letter. all is true if s is nothing but these
// copies.
func findLoop(s string) (cut int, all bool) {
	for period := 2; period <= min((len(s)+1)/minPeriods, maxPeriod); period++ {
		same := 0
		least := (minPeriods-1)*period - 1 // the last copy may lack its space
		for same < least && s[len(s)-1-same] == s[len(s)-1-same-period] {
			same++
		}
		if once := s[len(s)-period:]; same < least || !strings.Contains(once, " ") || !strings.ContainsFunc(once, func(r rune) bool { return r >= 'A' }) {
			continue
		}
		for same < len(s)-period && s[len(s)-1-same] == s[len(s)-1-same-period] {
			same++
		}
		end := len(s) - same
		if space := strings.IndexByte(s[end:], ' '); space > 0 && s[end-1] != ' ' {
			end += space
		}
		return end, same == len(s)-period
	}
	return len(s), false
}

// dropCutOff removes the last sentence if it stops in the middle.
func dropCutOff(s string, _ Options, found *findings) string {
	last := strings.TrimRight(s, ` "')]`)
	if last == "" || strings.IndexByte(".!?", last[len(last)-1]) >= 0 {
		return s
	}
	whole, sentences := 0, 0
	for at := 0; at < len(s); {
		whole = at
		at += len(text.NextSentence(s[at:]))
		sentences++
	}
	if sentences == 1 {
		return s
	}
	rest := strings.TrimRight(s[whole:], " ,;:-")
	word := strings.ToLower(rest[strings.LastIndexByte(rest, ' ')+1:])
	if !openWords[word] && (sentences-1 < cutSentences || strings.Count(s, " ") < cutWords) {
		return s
	}
	found.Noise |= NoiseCutOff
	return strings.TrimRight(s[:whole], " ")
}

// filterSentences returns s without the sentences that keep rejects.
func filterSentences(s string, keep func(string) bool) string {
	var kept []string
	all := true
	for rest := s; rest != ""; {
		sentence := text.NextSentence(rest)
		rest = rest[len(sentence):]
		if keep(sentence) {
			kept = append(kept, strings.TrimRight(sentence, " "))
		} else {
			all = false
		}
	}
	if all {
		return s
	}
	return strings.Join(kept, " ")
}
