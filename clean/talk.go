package clean

import (
	_ "embed"
	"regexp"
	"strings"

	"capgraph/internal/text"
)

//go:embed words.tsv
var wordsTSV string

//go:embed talk.tsv
var talkTSV string

// The roles of words in words.tsv.
const (
	roleOpens   = "opens"
	roleNames   = "names"
	roleSection = "section"
)

// answerWords maps the words of words.tsv to their roles.
var answerWords = func() map[string]string {
	roles := map[string]string{}
	for _, row := range tableRows(wordsTSV) {
		roles[row[0]] = row[1]
	}
	return roles
}()

// talk matches any pattern of talk.tsv. talkBegins are the words that the patterns begin with.
var talk = func() *regexp.Regexp {
	var patterns []string
	for _, row := range tableRows(talkTSV) {
		patterns = append(patterns, row[0])
	}
	return regexp.MustCompile("^(?i:" + strings.Join(patterns, "|") + ")")
}()

var talkBegins = newWordSet("oh i i'm sorry my unfortunately however but as there no it please could can let feel if would do is how")

// tableRows returns the rows of a tab-separated table without comments and header.
func tableRows(table string) (rows [][]string) {
	for line := range strings.Lines(table) {
		if line[0] != '#' {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows[1:]
}

// stripTalk removes a model's words to its user: a lead-in ("Here is a caption:") and sentences
// that describe nothing ("I hope this helps!").
func stripTalk(s string, _ Options, found *findings) string {
	if n := leadInLen(s); n > 0 {
		s = s[n:]
		found.Noise |= NoiseLeadIn
	}
	s = dropLeadIns(s, found)
	if !hasTalk(s) {
		return s
	}
	found.Noise |= NoiseTalk
	return filterSentences(s, func(sentence string) bool { return !isTalk(sentence) })
}

// dropLeadIns removes lead-ins that begin a later sentence with "here": "A dog runs. Here's a detailed
// description: - The dog is brown."
func dropLeadIns(s string, found *findings) string {
	for at := 0; ; {
		next := strings.Index(s[at:], " Here")
		if next < 0 {
			return s
		}
		at += next + 1
		if strings.IndexByte(sentenceEnds, s[at-2]) < 0 {
			continue
		}
		if n := leadInLen(s[at:]); n > 0 && n < len(s)-at && s[at+n-2] == ':' {
			s = s[:at] + s[at+n:]
			found.Noise |= NoiseLeadIn
		}
	}
}

// sentenceEnds are the characters that end the sentence before a lead-in.
const sentenceEnds = ".!?"

func hasTalk(s string) bool {
	for s != "" {
		sentence := text.NextSentence(s)
		if isTalk(sentence) {
			return true
		}
		s = s[len(sentence):]
	}
	return false
}

// isTalk reports whether a sentence matches a pattern of talk.tsv.
func isTalk(sentence string) bool {
	first, _, _ := strings.Cut(sentence, " ")
	if len(first) > 16 || !lookUpLower(talkBegins, strings.TrimRight(first, ",")) {
		return false
	}
	return talk.MatchString(sentence)
}

// lookUpLower returns the entry of m for the word in lower case.
func lookUpLower[V any](m map[string]V, word string) (v V) {
	var lower [16]byte
	if len(word) > len(lower) {
		return v
	}
	for i := range len(word) {
		lower[i] = word[i]
		if isLetter(word[i]) {
			lower[i] |= 0x20
		}
	}
	return m[string(lower[:len(word)])]
}

// leadInLen returns the length of the lead-in at the start of s, with the space after it; 0 if there
// is none. A lead-in ends in a colon, or is a sentence that has an opening word such as "here".
func leadInLen(s string) int {
	opens, names := false, false
	begin := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (isLetter(s[i]) || s[i] == '\'' || s[i] == '-' && i > begin) {
			continue
		}
		if i > begin {
			switch lookUpLower(answerWords, s[begin:i]) {
			case roleOpens:
				opens = true
			case roleNames:
				names = true
			case "":
				return 0
			}
		}
		begin = i + 1
		if i == len(s) {
			return 0
		}
		switch s[i] {
		case ' ', ',':
		case ':', '.', '!':
			if i+1 < len(s) && s[i+1] != ' ' {
				return 0
			}
			if opens || names && s[i] == ':' {
				end := min(i+2, len(s))
				return end + leadInLen(s[end:]) // "Sure! Here is a caption:"
			}
			return 0
		default:
			return 0
		}
	}
	return 0
}

// isLabel reports whether a heading names a section of an answer, such as "Main subject" or "Scene
// Description:".
func isLabel(heading string) bool {
	labels := false
	for word := range strings.FieldsFuncSeq(heading, func(r rune) bool { return strings.ContainsRune(" :.&/,", r) }) {
		switch lookUpLower(answerWords, word) {
		case roleSection, roleNames:
			labels = true
		case "":
			return false
		}
	}
	return labels
}
