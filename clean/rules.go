package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/clean/language"
)

// The reasons to reject a caption.
const (
	ReasonEmpty    = "empty"         // only white space
	ReasonEncoding = "bad_encoding"  // not UTF-8, or has the replacement character U+FFFD
	ReasonNested   = "nested_markup" // escaped within itself more than maxPasses times
	ReasonTable    = "table"         // only a table in Markdown whose cells are not sentences
	ReasonJSON     = "json"          // JSON with named fields
	ReasonRefusal  = "refusal"       // a model's refusal, or talk to its user, without a description
	ReasonLoop     = "repetition"    // nothing but the same words, four times or more
	ReasonPerson   = "person"        // has <PERSON>, with clean.person: reject
	ReasonLinks    = "links_only"    // only links, file names and hashtags
	ReasonLetters  = "no_letters"    // only digits, symbols and emoji
	ReasonLanguage = "not_english"   // in another language, or in another script than Latin
	ReasonShort    = "too_short"     // below min_words or min_chars
	ReasonLong     = "too_long"      // above max_words or max_chars
)

// Remedies maps a reason to the settings that a user can change to keep such captions.
var Remedies = map[string]string{
	ReasonPerson:   "clean.person",
	ReasonLanguage: "clean.language",
	ReasonShort:    "clean.min_words, clean.min_chars",
	ReasonLong:     "clean.max_words, clean.max_chars",
}

// rule is a reason to reject a clean text. The first rule that rejects it gives the reason.
type rule struct {
	reason  string
	example string // a caption that the rule rejects if person is reject and max_words is 20
	rejects func(Options, measure) bool
}

var rules = []rule{
	{ReasonEmpty, " \t ", func(_ Options, m measure) bool { return m.isBlank }},
	{ReasonTable, "| object | colour |\n|---|---|\n| dog | brown |", func(_ Options, m measure) bool { return m.table && m.letters == 0 }},
	{ReasonJSON, `{"caption": "a dog on a beach"}`, func(_ Options, m measure) bool { return isJSON(m.text) }},
	{ReasonRefusal, "I'm sorry, but I can't assist with that.", func(o Options, m measure) bool { return m.Noise&NoiseTalk != 0 && m.words < o.MinWords }},
	{ReasonLoop, strings.Repeat("great quality best price ", 4), func(_ Options, m measure) bool { return m.loop }},
	{ReasonPerson, "<PERSON> at the beach", func(o Options, m measure) bool { return m.person && o.Person == PersonReject }},
	{ReasonLinks, "https://example.org/dog.jpg", func(_ Options, m measure) bool { return m.link && m.letters == 0 }},
	{ReasonLetters, "2014 - 07 - 21", func(_ Options, m measure) bool { return m.letters == 0 }},
	{ReasonLanguage, "ein Hund am Strand", func(o Options, m measure) bool { return o.Language == LanguageEnglish && !language.IsEnglish(m.text) }},
	{ReasonShort, "image", func(o Options, m measure) bool { return m.words < o.MinWords || m.chars < o.MinChars }},
	{ReasonLong, "a dog and a cat run on a beach next to a boat with a red sail, while two men look at them from a pier in the rain", func(o Options, m measure) bool { return m.words > o.MaxWords || m.chars > o.MaxChars }},
}

// measure has the findings and counts that the rules check.
type measure struct {
	findings
	text                  string
	isBlank               bool // the caption was only white space
	words, chars, letters int
}

func (c *Cleaner) applyRules(caption, text string, found findings) Result {
	m := measure{findings: found, text: text}
	m.countText(text)
	m.isBlank = text == "" && strings.TrimSpace(caption) == ""
	for i := range rules {
		if rules[i].rejects(c.options, m) {
			return Result{Reason: rules[i].reason, Detail: c.options.describeReason(rules[i].reason, m), Noise: found.Noise}
		}
	}
	return Result{Text: text, Noise: found.Noise}
}

// describeReason returns which limit a rejected text exceeds, or what to do about it; "" if there is nothing
// to add.
func (o Options) describeReason(reason string, m measure) string {
	switch {
	case reason == ReasonJSON:
		return "name its field in source.columns, as in {caption: caption.FIELD}"
	case reason == ReasonShort && m.words < o.MinWords:
		return fmt.Sprintf("%d words, less than clean.min_words: %d", m.words, o.MinWords)
	case reason == ReasonShort:
		return fmt.Sprintf("%d characters, less than clean.min_chars: %d", m.chars, o.MinChars)
	case reason == ReasonLong && m.words > o.MaxWords:
		return fmt.Sprintf("%d words, more than clean.max_words: %d", m.words, o.MaxWords)
	case reason == ReasonLong:
		return fmt.Sprintf("%d characters, more than clean.max_chars: %d", m.chars, o.MaxChars)
	}
	return ""
}

func (m *measure) countText(text string) {
	inWord := false
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			m.chars++
			switch {
			case isLetter(b):
				m.letters++
				m.countWordStart(&inWord)
			case isDigit(b):
				m.countWordStart(&inWord)
			case b == ' ':
				inWord = false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		m.chars++
		if unicode.IsLetter(r) {
			m.letters++
			if unicode.In(r, unspaced...) {
				inWord = false
			}
			m.countWordStart(&inWord)
		} else if unicode.IsNumber(r) {
			m.countWordStart(&inWord)
		}
	}
}

// unspaced are the scripts without spaces between words. Each of their letters counts as a word.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func (m *measure) countWordStart(inWord *bool) {
	if !*inWord {
		m.words++
		*inWord = true
	}
}
