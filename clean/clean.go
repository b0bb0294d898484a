package clean

import (
	"fmt"
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

// Result is the text of a caption, or why there is none.
type Result struct {
	// Text is empty if Reason, one of the Reason constants, is not. Detail says more about the reason.
	Text, Reason, Detail string
	// Noise is a kind of thing that was removed, or could not be.
	Noise Noise
}

// Clean returns the text of a caption and an empty reason. A rejected caption has an empty text and
// one of the Reason constants. If the caption is plain English ASCII with at most white space
// around it, Clean returns a part of it and allocates nothing.
func (c *Cleaner) Clean(caption string) (text, reason string) {
	r := c.Examine(caption)
	return r.Text, r.Reason
}

// Examine is Clean with the details.
func (c *Cleaner) Examine(caption string) Result {
	text := strings.Trim(caption, " \t\r\n")
	if n := len(text); n > c.mostBytes() { // steps remove little of it, and take long
		o := c.options
		return Result{Reason: ReasonLong, Detail: fmt.Sprintf("%d bytes before cleaning, and clean.max_chars is %d", n, o.MaxChars)}
	}
	if isPlain(text) {
		return c.applyRules(caption, text, findings{})
	}
	return c.cleanUntilStable(caption, text)
}

// mostBytes returns how long a caption may be before it is cleaned.
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

// Noise is a set of what models leave in captions.
type Noise uint8

// What models leave in captions, in the order of NoiseNames.
const (
	NoiseMarks    Noise = 1 << iota // <image>, <|endoftext|>
	NoiseMarkdown                   // headings, lists, bold
	NoiseLeadIn                     // "Here is a caption:"
	NoiseTalk                       // "I hope this helps!"
	NoiseRepeat                     // a sentence or its end again and again
	NoiseCutOff                     // a last sentence without its end
)

// NoiseNames name each kind of noise, from the lowest bit.
var NoiseNames = [...]string{"marks", "Markdown", "lead-in", "talk to the user", "repetition", "cut-off sentence"}

// findings records the things that the steps saw and removed.
type findings struct {
	Noise
	person bool // a <PERSON>
	loop   bool // nothing but the same words again and again
	table  bool // a table of Markdown
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
	if strings.Count(s, ";") >= leastTags-1 { // perhaps a list of tags
		return false
	}
	var found findings
	return prev != ' ' && len(dropCutOff(dropRepeats(stripTalk(s, Options{}, &found), Options{}, &found), Options{}, &found)) == len(s)
}

func isLetter(b byte) bool       { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool        { return '0' <= b && b <= '9' }
func isAlphanumeric(b byte) bool { return isLetter(b) || isDigit(b) }

// Version is the version of clean texts. It rises whenever a caption becomes another text; a golden
// hash in stages checks that. A pass that one version began cannot be finished by another.
const Version = "clean/3"
