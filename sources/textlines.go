package sources

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The values of Options.Lines.
const (
	LinesAuto = ""     // each a caption if they look so, else one caption
	LinesEach = "each" // each is a caption
	LinesOne  = "one"  // all are one caption
)

// linesForm returns the form of cells for a value of Options.Lines.
func linesForm(lines string) cellForm {
	return map[string]cellForm{LinesAuto: autoForm, LinesEach: eachForm, LinesOne: oneForm}[lines]
}

// maxCaptionWords is the most words of a line that counts as a caption of its own.
const maxCaptionWords = 40

// splitLines returns the captions in a text: its lines, or the whole of it.
func splitLines(text string, how cellForm) []string {
	lines, blank := splitParts(text, "\n")
	if len(lines) < 2 && how == eachForm {
		if lines, _ = splitCell(text); lines == nil {
			return []string{text}
		}
	}
	paragraphs := blank && slices.ContainsFunc(lines, endsSentence)
	if len(lines) < 2 || how == oneForm || how == autoForm && (paragraphs || !areCaptions(lines)) {
		return []string{text}
	}
	return lines
}

// splitParts splits a text at each sep. It reports whether a part was blank or a rule such as ---. A
// line may also end in a carriage return alone.
func splitParts(text, sep string) (parts []string, blank bool) {
	text = strings.TrimSpace(text)
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	for part := range strings.SplitSeq(text, sep) {
		if part = strings.TrimSpace(part); strings.Trim(part, "-=*_") != "" {
			parts = append(parts, part)
		} else {
			blank = true
		}
	}
	return parts, blank
}

// leastCaptionWords is the fewest words of a part of a cell that counts as a caption of its own.
const leastCaptionWords = 3

// captionSeparators separate captions in the text of a cell. Since semicolons also occur in sentences,
// parts must look like captions.
var captionSeparators = []string{"\n", `\n`, "|", "###", "[SEP]", "<sep>", ";"}

// splitCell splits the text of a cell at the first of captionSeparators that it contains. captions is
// set if the parts look like captions of their own.
func splitCell(text string) (parts []string, captions bool) {
	for _, sep := range captionSeparators {
		if !strings.Contains(text, sep) {
			continue
		}
		if parts, _ = splitParts(text, sep); len(parts) < 2 {
			continue
		}
		captions = areCaptions(parts) && !slices.ContainsFunc(parts, func(p string) bool { return len(strings.Fields(p)) < leastCaptionWords })
		if captions || sep != ";" {
			return parts, captions
		}
	}
	return nil, false
}

// areCaptions reports whether lines look like captions of their own: each has words, at most one
// sentence and no Markdown, and no sentence continues in the next line.
func areCaptions(lines []string) bool {
	for i, line := range lines {
		words := len(strings.Fields(line))
		if !hasWords(line) || words > maxCaptionWords || hasMarkdown(line) || hasLabel(line) || hasSentences(line) {
			return false
		}
		first, _ := utf8.DecodeRuneInString(line)
		last, _ := utf8.DecodeLastRuneInString(line)
		if i > 0 && (unicode.IsLower(first) && beginsUpper(lines[0]) && !endsSentence(lines[i-1]) || beginsPronoun(line)) {
			return false
		}
		if i+1 < len(lines) && strings.ContainsRune(",;:-–—(", last) {
			return false
		}
	}
	return true
}

// beginsPronoun reports whether a line begins with a pronoun that refers to an earlier line: "She
// holds an umbrella."
func beginsPronoun(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"He", "She", "It", "They", "His", "Her", "Its", "Their"}, first)
}

// isSentence reports whether a line begins with an upper-case letter and ends in a full stop.
func isSentence(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && beginsUpper(line) && line[len(line)-1] == '.'
}

func beginsUpper(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return unicode.IsUpper(r)
}

func endsSentence(line string) bool {
	return strings.ContainsAny(line[len(line)-1:], `.!?"')`)
}

// hasSentences reports whether a line has two or more sentences.
func hasSentences(line string) bool {
	for i := 0; i+2 < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) < 0 || line[i+1] != ' ' {
			continue
		}
		// A word of one or two letters before a full stop, such as "St." or "a.m.", is an abbreviation.
		word := line[strings.LastIndexByte(line[:i], ' ')+1 : i]
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(line[i+1:], " "))
		if len(word) > 2 && unicode.IsUpper(next) {
			return true
		}
	}
	return false
}

// hasLabel reports whether a line begins with a word and a colon, as in "style: a photo".
func hasLabel(line string) bool {
	label, _, ok := strings.Cut(line, ":")
	return ok && len(strings.Fields(label)) <= 2 && !strings.ContainsAny(label, ",.\"'")
}

// hasMarkdown reports whether a line contains Markdown, HTML or JSON.
func hasMarkdown(line string) bool {
	if strings.Contains("#*->|`{}[]<•", line[:1]) || strings.Contains(line, "**") || strings.HasPrefix(line, "•") {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return digits != line && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// functionWords occur in sentences but not as tags. A list of single words that contains one is a
// sentence that was split into words.
var functionWords = strings.Fields("a an the is are was were of on in at with and to for by from near next under his her its their that this")

// minTokens is the fewest elements of a list of single words that is a split sentence or a list of tags.
const minTokens = 3

// joinTokens returns the captions in a list. If all its elements are single words, they are joined
// to one caption: a sentence with spaces, tags with commas.
func joinTokens(values []jsontext.Value) []jsontext.Value {
	if len(values) < minTokens {
		return values
	}
	words := make([]string, len(values))
	sentence := false
	for i, v := range values {
		c := jsonCell(v)
		words[i] = strings.TrimSpace(c.Text)
		if c.kind != textCell || hasWords(words[i]) || words[i] == "" {
			return values
		}
		sentence = sentence || !strings.ContainsFunc(words[i], unicode.IsLetter)
		for _, f := range functionWords {
			sentence = sentence || strings.EqualFold(words[i], f)
		}
	}
	between := ", "
	if sentence {
		between = " "
	}
	joined, err := jsontext.AppendQuote(nil, strings.Join(words, between))
	if err != nil {
		return values
	}
	return []jsontext.Value{joined}
}
