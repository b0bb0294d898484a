package clean

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxPasses bounds how often a text is cleaned, and so how deep markup may be escaped within
// markup. Real captions are stable after two passes.
const maxPasses = 8

// Cleaner cleans captions as its options say. It is safe for concurrent use.
type Cleaner struct {
	options Options
}

// New returns a cleaner with the options o. It fails if o.Validate does.
func New(o Options) (*Cleaner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Cleaner{options: o}, nil
}

// Result is the clean text of a caption, or the reason why it is rejected.
type Result struct {
	// Text is empty if the caption is rejected. Reason is then one of the Reason constants, else empty. Detail
	// explains the reason and may be empty.
	Text, Reason, Detail string
	// Noise is the set of the kinds of noise found.
	Noise Noise
}

// Clean returns the clean text of a caption and an empty reason. For a rejected caption, the text
// is empty and reason is one of the Reason constants. For plain English ASCII with at most white
// space around it, Clean returns a substring of the caption and allocates nothing.
func (c *Cleaner) Clean(caption string) (text, reason string) {
	r := c.Examine(caption)
	return r.Text, r.Reason
}

// Examine cleans as Clean does and also returns the details of the reason and the noise.
func (c *Cleaner) Examine(caption string) Result {
	text := strings.Trim(caption, " \t\r\n")
	if n := len(text); n > c.mostBytes() { // cleaning would remove little of it, and take long
		o := c.options
		return Result{Reason: ReasonLong, Detail: fmt.Sprintf("%d bytes before cleaning, and clean.max_chars is %d", n, o.MaxChars)}
	}
	if isPlain(text) {
		return c.applyRules(caption, text, findings{})
	}
	return c.cleanUntilStable(caption, text)
}

// mostBytes returns the greatest length in bytes of a caption that is cleaned. Longer ones are rejected at
// once.
func (c *Cleaner) mostBytes() int { return max(8*c.options.MaxChars, 100_000) }

// cleanUntilStable repeats the pass over text until it changes nothing.
func (c *Cleaner) cleanUntilStable(caption, text string) Result {
	var found findings
	for range maxPasses {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			return Result{Reason: ReasonEncoding}
		}
		before := text
		for i := range steps {
			text = steps[i].apply(text, c.options, &found)
		}
		if text == before || isPlain(text) {
			return c.applyRules(caption, text, found)
		}
	}
	return Result{Reason: ReasonNested}
}

// Noise is a set of kinds of noise: traces that a language model leaves in the captions it writes.
type Noise uint8

// The kinds of noise, in the order of NoiseNames.
const (
	NoiseMarks    Noise = 1 << iota // <image>, <|endoftext|>
	NoiseMarkdown                   // headings, lists, bold
	NoiseLeadIn                     // "Here is a caption:"
	NoiseTalk                       // "I hope this helps!"
	NoiseRepeat                     // a sentence, or the last words, again and again
	NoiseCutOff                     // a last sentence that stops in the middle
)

// NoiseNames has the name of each kind of noise, from the lowest bit.
var NoiseNames = [...]string{"marks", "Markdown", "lead-in", "talk to the user", "repetition", "cut-off sentence"}

// findings records what the steps found in the caption or removed from it.
type findings struct {
	Noise
	person bool // a <PERSON>
	loop   bool // the text has nothing but the same words again and again
	table  bool // a table in Markdown
	link   bool // a link, a file name or a pile of hashtags
}

// isPlain reports whether no step would change s: ASCII words with single spaces between them,
// English punctuation, and no noise of a model.
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
			torn := i < 2 || s[i-2] == ' ' // the word before the apostrophe is one letter, as in "do n't"
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
	if strings.Count(s, ";") >= leastTags-1 { // may be a list of tags
		return false
	}
	var found findings
	return prev != ' ' && len(dropCutOff(dropRepeats(stripTalk(s, Options{}, &found), Options{}, &found), Options{}, &found)) == len(s)
}

func isLetter(b byte) bool       { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool        { return '0' <= b && b <= '9' }
func isAlphanumeric(b byte) bool { return isLetter(b) || isDigit(b) }

// Version is the version of the cleaning rules. It rises whenever some caption gets another clean
// text; a golden hash in stages checks that. A pass that one version began cannot be finished by
// another.
const Version = "clean/3"
