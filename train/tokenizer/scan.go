package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// class is the class of a character for the scanner.
type class uint8

const (
	space class = iota
	letter
	number
	other
)

// nextWord returns the first word of a clean text and the text after it. word is empty if there is
// none. The words are the matches of CLIP's pattern,
//
//	<start_of_text>|<end_of_text>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+
//
// as Python's regex finds them if it ignores case. In lower-case text this matters for two
// characters: ſ also matches s, and U+0345 matches nothing.
func nextWord(text []byte) (word, rest []byte) {
	for len(text) > 0 {
		c, n := classify(text)
		switch c {
		case space:
			text = text[n:]
			continue
		case number:
			return text[:n], text[n:]
		case other:
			if n := markOrEnding(text); n > 0 {
				return text[:n], text[n:]
			}
		}
		for n < len(text) {
			next, more := classify(text[n:])
			if next != c {
				break
			}
			n += more
		}
		return text[:n], text[n:]
	}
	return nil, nil
}

// classify returns the class of the first character and its length in bytes.
func classify(text []byte) (class, int) {
	switch b := text[0]; {
	case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
		return letter, 1
	case b >= '0' && b <= '9':
		return number, 1
	case b == ' ' || b >= '\t' && b <= '\r':
		return space, 1
	case b < utf8.RuneSelf:
		return other, 1
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case unicode.IsLetter(r):
		return letter, n
	case unicode.IsNumber(r):
		return number, n
	case unicode.IsSpace(r) || r == 0x345:
		return space, n
	}
	return other, n
}

// markOrEnding returns the length of the mark, such as <start_of_text>, or of the ending, such as
// 's, that text begins with; 0 if there is none.
func markOrEnding(text []byte) int {
	switch text[0] {
	case '\'':
		for _, ending := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
			if n := matchPrefix(text, ending); n > 0 {
				return n
			}
		}
	case '<':
		return max(matchPrefix(text, startMark), matchPrefix(text, endMark))
	}
	return 0
}

// matchPrefix returns the length in bytes of want at the beginning of text, where ſ matches s; 0 if
// text does not begin with want.
func matchPrefix(text []byte, want string) int {
	const longS = "\u017f"
	n := 0
	for i := range len(want) {
		switch {
		case n < len(text) && text[n] == want[i]:
			n++
		case want[i] == 's' && n+len(longS) <= len(text) && string(text[n:n+len(longS)]) == longS:
			n += len(longS)
		default:
			return 0
		}
	}
	return n
}
