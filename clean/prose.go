package clean

import (
	"strings"

	"capgraph/internal/text"
)

// minPeriods is how often a text ends in the same words before it is taken for the loop of a model.
const minPeriods = 4

// maxPeriod is the most bytes of a repeated passage.
const maxPeriod = 512

// A text that ends without a full stop was cut off if that many words and whole sentences came
// before. Titles and alt texts are shorter.
const (
	cutWords     = 40
	cutSentences = 2
)

// openWords are words after which no sentence ends.
var openWords = newWordSet("a an the and or but of with at from into onto to its their his our this these those is are was were has have as that which who while when")

func newWordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// dropRepeats keeps one of a model's repetitions: sentences that came before, and the words that a
// text ends in four times or more.
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

// findLoop returns where the repetitions begin that s ends in, after the first; len(s) if there are
// none. What is repeated has a space and a letter. all is true if s has nothing else.
func findLoop(s string) (cut int, all bool) {
	for period := 2; period <= min((len(s)+1)/minPeriods, maxPeriod); period++ {
		same := 0
		least := (minPeriods-1)*period - 1 // the last may lack its space
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

// dropCutOff leaves out the last sentence if a model was stopped within it.
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

// filterSentences returns the sentences of s that keep accepts. It returns s if it accepts all.
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
