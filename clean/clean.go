package clean

import (
	"strings"
	"unicode/utf8"
)

// maxPasses bounds how deep markup may be escaped within markup. Real captions
// settle after two passes.
const maxPasses = 8

// Cleaner cleans captions by one set of options. It holds no state and is safe
// for concurrent use.
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

// Clean returns the text of a caption and an empty reason, or an empty text and
// the reason why the caption is rejected, one of the Reason constants. It
// returns a part of caption, and allocates nothing, where the caption is plain
// English ASCII with at most white space around it.
func (c *Cleaner) Clean(caption string) (text, reason string) {
	text = strings.Trim(caption, " \t\r\n")
	if plain(text) {
		return c.judge(caption, text, findings{})
	}
	return c.settle(caption, text)
}

// settle repeats the pass over text until it changes nothing.
func (c *Cleaner) settle(caption, text string) (string, string) {
	var found findings
	for range maxPasses {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			return "", ReasonEncoding
		}
		before := text
		for i := range steps {
			text = steps[i].apply(text, c.options, &found)
		}
		if text == before || plain(text) {
			return c.judge(caption, text, found)
		}
	}
	return "", ReasonNested
}

// findings is what the steps saw and took away, as far as a rule needs it.
type findings struct {
	person bool // a <PERSON>
	link   bool // a link, a file name or a pile of hashtags
}

// plain reports whether s is so simple that no step would change it: ASCII
// words with single spaces between them, and punctuation where English has it.
func plain(s string) bool {
	prev := byte(' ')
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch b {
		case ' ':
			if prev == ' ' {
				return false
			}
		case '.', '!', '?':
			if !alphanumeric(prev) || i+1 < len(s) && s[i+1] != ' ' {
				return false
			}
		case ',', ';', ':':
			if !alphanumeric(prev) || i+1 == len(s) || s[i+1] != ' ' {
				return false
			}
		case '-':
			if !alphanumeric(prev) || i+1 == len(s) || !alphanumeric(s[i+1]) {
				return false
			}
		case '\'':
			torn := i < 2 || s[i-2] == ' ' // as in "do n't"
			if torn || !letter(prev) || i+1 == len(s) || !letter(s[i+1]) {
				return false
			}
		default:
			if !alphanumeric(b) {
				return false
			}
		}
		prev = b
	}
	return prev != ' '
}

func letter(b byte) bool       { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func digit(b byte) bool        { return '0' <= b && b <= '9' }
func alphanumeric(b byte) bool { return letter(b) || digit(b) }
