package clean

import (
	"strings"
	"unicode/utf8"
)

// maxPasses bounds how deep markup may be escaped within markup. Real captions are stable after two
// passes.
const maxPasses = 8

// Cleaner cleans captions by one set of options. It holds no state and is safe for concurrent use.
type Cleaner struct {
	options Options
}

// New returns a cleaner, or the error of o.Validate.
func New(o Options) (*Cleaner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Cleaner{options: o}, nil
}

// Clean returns the text of a caption and an empty reason. A rejected caption has an empty text and
// one of the Reason constants. If the caption is plain English ASCII with at most white space
// around it, Clean returns a part of it and allocates nothing.
func (c *Cleaner) Clean(caption string) (text, reason string) {
	text = strings.Trim(caption, " \t\r\n")
	if isPlain(text) {
		return c.applyRules(caption, text, findings{})
	}
	return c.cleanUntilStable(caption, text)
}

// cleanUntilStable repeats the pass over text until it changes nothing.
func (c *Cleaner) cleanUntilStable(caption, text string) (string, string) {
	var found findings
	for range maxPasses {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			return "", ReasonEncoding
		}
		before := text
		for i := range steps {
			text = steps[i].apply(text, c.options, &found)
		}
		if text == before || isPlain(text) {
			return c.applyRules(caption, text, found)
		}
	}
	return "", ReasonNested
}

// findings is what the steps saw and removed, as far as a rule needs it.
type findings struct {
	person bool // a <PERSON>
	link   bool // a link, a file name or a pile of hashtags
}

// isPlain reports whether no step would change s: ASCII words with single spaces between them, and
// English punctuation.
func isPlain(s string) bool {
	prev := byte(' ')
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch b {
		case ' ':
			if prev == ' ' {
				return false
			}
		case '.', '!', '?':
			if !isAlphanumeric(prev) || i+1 < len(s) && s[i+1] != ' ' {
				return false
			}
		case ',', ';', ':':
			if !isAlphanumeric(prev) || i+1 == len(s) || s[i+1] != ' ' {
				return false
			}
		case '-':
			if !isAlphanumeric(prev) || i+1 == len(s) || !isAlphanumeric(s[i+1]) {
				return false
			}
		case '\'':
			torn := i < 2 || s[i-2] == ' ' // as in "do n't"
			if torn || !isLetter(prev) || i+1 == len(s) || !isLetter(s[i+1]) {
				return false
			}
		default:
			if !isAlphanumeric(b) {
				return false
			}
		}
		prev = b
	}
	return prev != ' '
}

func isLetter(b byte) bool       { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool        { return '0' <= b && b <= '9' }
func isAlphanumeric(b byte) bool { return isLetter(b) || isDigit(b) }

// Version is the version of clean texts. It rises whenever a caption becomes another text; a golden
// hash in stages checks that. A pass that one version began cannot be finished by another.
const Version = "clean/2"
