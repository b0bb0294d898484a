package say

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/negatives/grammar"
)

// AppendAsCaption capitalises text if the caption is, and appends the caption's final punctuation.
func AppendAsCaption(text []byte, caption string) []byte {
	if c := caption[0]; c >= 'A' && c <= 'Z' && text[0] >= 'a' && text[0] <= 'z' {
		text[0] -= 'a' - 'A'
	}
	return append(text, caption[len(strings.TrimRight(caption, ".!?")):]...)
}

// Doubled reports whether a text has a word twice in a row ("on on").
func Doubled(text []byte) bool {
	from, length := 0, 0 // the word before
	begin := 0
	for i := 0; ; i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		if n := i - begin; n == length && n > 0 && text[begin] >= 'A' && sameFold(text[begin:i], text[from:from+n]) {
			return true
		}
		if i >= len(text) {
			return false
		}
		from, length, begin = begin, i-begin, i+1
	}
}

// sameFold is as bytes.EqualFold for non-empty slices, but faster if the first letters differ.
func sameFold(a, b []byte) bool {
	return (a[0]|0x20 == b[0]|0x20 || a[0] >= utf8.RuneSelf) && bytes.EqualFold(a, b)
}

// Repeats reports whether b begins with the word that a ends with.
func Repeats(a, b string) bool {
	last := a[strings.LastIndexByte(a, ' ')+1:]
	first, _ := grammar.Cut(b)
	return last != "" && len(first) == len(last) && strings.EqualFold(first, last)
}

// AppendInCase appends text in the case of model: capitalised, or in capitals throughout. A model
// such as "TV" is ignored.
func AppendInCase(dst []byte, text, model string) []byte {
	first, size := utf8.DecodeRuneInString(model)
	if !unicode.IsUpper(first) || IsAcronym(model) && len(model) == 2 {
		return append(dst, text...)
	}
	if rest := model[size:]; len(rest) > 1 && strings.ToUpper(rest) == rest && strings.ToLower(rest) != rest {
		return append(dst, strings.ToUpper(text)...)
	}
	r, n := utf8.DecodeRuneInString(text)
	dst = utf8.AppendRune(dst, unicode.ToUpper(r))
	return append(dst, text[n:]...)
}

// AppendTitled appends each word of text in the case of model.
func AppendTitled(dst []byte, text, model string) []byte {
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = AppendInCase(dst, word, model)
	}
	return dst
}

// IsCapital reports whether a word begins with a capital.
func IsCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// IsAcronym reports whether a word has capitals after its first letter.
func IsAcronym(word string) bool {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ContainsFunc(word[n:], unicode.IsUpper)
}
