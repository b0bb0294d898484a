package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Why a caption is rejected.
const (
	ReasonEmpty    = "empty"            // only white space
	ReasonEncoding = "bad_encoding"     // not UTF-8, or has U+FFFD for what was lost
	ReasonNested   = "nested_markup"    // escaped within itself more often than people do
	ReasonPerson   = "person"           // has <PERSON>, with clean.person: reject
	ReasonLinks    = "links_only"       // only links, file names and hashtags
	ReasonLetters  = "no_letters"       // only digits, symbols and emoji
	ReasonScript   = "not_latin_script" // at least half of the letters are of another script
	ReasonShort    = "too_short"        // below min_words or min_chars
	ReasonLong     = "too_long"         // above max_words or max_chars
)

// rule is a reason to reject a cleaned text. The first that applies is given.
type rule struct {
	reason  string
	example string // a caption that the rule rejects, with person: reject
	rejects func(Options, measure) bool
}

var rules = []rule{
	{ReasonEmpty, " \t ", func(_ Options, m measure) bool { return m.isBlank }},
	{ReasonPerson, "<PERSON> at the beach", func(o Options, m measure) bool { return m.person && o.Person == PersonReject }},
	{ReasonLinks, "https://example.org/dog.jpg", func(_ Options, m measure) bool { return m.link && m.letters == 0 }},
	{ReasonLetters, "2014 - 07 - 21", func(_ Options, m measure) bool { return m.letters == 0 }},
	{ReasonScript, "собака на пляже", func(o Options, m measure) bool { return o.Script == ScriptLatin && 2*m.latin <= m.letters }},
	{ReasonShort, "image", func(o Options, m measure) bool { return m.words < o.MinWords || m.chars < o.MinChars }},
	{ReasonLong, strings.Repeat("a dog and ", 60) + "a cat", func(o Options, m measure) bool { return m.words > o.MaxWords || m.chars > o.MaxChars }},
}

// measure is what the rules look at.
type measure struct {
	findings
	isBlank                      bool // the caption was only white space
	words, chars, letters, latin int
}

func (c *Cleaner) applyRules(caption, text string, found findings) (string, string) {
	m := measure{findings: found}
	m.countText(text)
	m.isBlank = text == "" && strings.TrimSpace(caption) == ""
	for i := range rules {
		if rules[i].rejects(c.options, m) {
			return "", rules[i].reason
		}
	}
	return text, ""
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
				m.latin++
				m.beginWord(&inWord)
			case isDigit(b):
				m.beginWord(&inWord)
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
			if unicode.Is(unicode.Latin, r) {
				m.latin++
			}
			m.beginWord(&inWord)
		} else if unicode.IsNumber(r) {
			m.beginWord(&inWord)
		}
	}
}

func (m *measure) beginWord(inWord *bool) {
	if !*inWord {
		m.words++
		*inWord = true
	}
}
