package scenegraph

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"
)

// NormalizeText returns the form in which texts are compared: equal forms mean equal texts.
// docs/format.md describes it step by step, with test vectors.
func NormalizeText(s string) string {
	return string(AppendNormalized(nil, s))
}

// TextID returns the pos_id of a text: XXH64, seed 0, of the UTF-8 bytes of NormalizeText(s), read
// as a two's complement integer.
func TextID(s string) int64 {
	var buf [256]byte
	return NormalizedID(AppendNormalized(buf[:0], s))
}

// NormalizedID is as TextID, for a text that is normalised already.
func NormalizedID(normalized []byte) int64 {
	return int64(xxhash.Sum64(normalized))
}

// AppendNormalized appends NormalizeText(s) to dst.
func AppendNormalized(dst []byte, s string) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(s)+1)
	// out has room for the letters and a space after the last word.
	out := dst[start : start+len(s)+1]
	n, word := 0, 0 // word is where the current word begins, n where the text ends
	for i := range len(s) {
		b := asciiLower[s[i]]
		if b > nonASCII {
			out[n] = b
			n++
			continue
		}
		switch b {
		case wordSeparator:
			n = endWord(out, word, n)
			word = n
		case nonASCII:
			return appendUnicode(dst, s)
		}
	}
	if n = endWord(out, word, n); n == 0 {
		return appendAllWords(dst, s)
	}
	return dst[:start+n-1]
}

// appendUnicode is as AppendNormalized, for texts that are not ASCII.
func appendUnicode(dst []byte, s string) []byte {
	// NFC does not compose across an invalid byte, so it is replaced first.
	s = norm.NFC.String(dropApostrophes.Replace(strings.ToValidUTF8(s, "\uFFFD")))
	start := len(dst)
	word := start
	end := func() {
		dst = append(dst, ' ')
		dst = dst[:endWord(dst, word, len(dst)-1)]
		word = len(dst)
	}
	for _, r := range s {
		switch {
		case r == '\'':
		case isPartOfWord(r):
			dst = utf8.AppendRune(dst, lowerRune(r))
		default:
			end()
		}
	}
	if end(); len(dst) > start {
		// Letters without a capital, such as T and U+0308, compose only now.
		return append(dst[:start], norm.NFC.Bytes(dst[start:len(dst)-1])...)
	}
	return appendAllWords(dst, s)
}

// Values of asciiLower for bytes that are not part of a word.
const (
	wordSeparator = 0 // separates words
	dropped       = 1 // is removed
	nonASCII      = 2 // is not ASCII
)

// asciiLower has the lower-case form of each ASCII character that is part of a word.
var asciiLower = func() (table [256]byte) {
	for b := utf8.RuneSelf; b < len(table); b++ {
		table[b] = nonASCII
	}
	for r := range rune(utf8.RuneSelf) {
		if isPartOfWord(r) {
			table[r] = byte(lowerRune(r))
		}
	}
	table['\''] = dropped
	return table
}()

// endWord ends the word text[word:n] with a space, or removes it if it is an article. It returns
// the new end of the text. There is room for the space.
func endWord(text []byte, word, n int) int {
	switch n - word {
	case 0:
		return n
	case 1:
		if text[word] == 'a' {
			return word
		}
	case 2:
		if text[word] == 'a' && text[word+1] == 'n' {
			return word
		}
	case 3:
		if text[word] == 't' && text[word+1] == 'h' && text[word+2] == 'e' {
			return word
		}
	}
	text[n] = ' '
	return n + 1
}

// appendAllWords appends the words of a text that has only articles.
func appendAllWords(dst []byte, s string) []byte {
	pending := false
	for _, r := range s {
		switch {
		case r == '\'':
		case isPartOfWord(r):
			if pending {
				dst = append(dst, ' ')
				pending = false
			}
			dst = utf8.AppendRune(dst, lowerRune(r))
		default:
			pending = len(dst) > 0
		}
	}
	return dst
}

// dropApostrophes removes curly and plain apostrophes, so that the characters around them can
// compose.
var dropApostrophes = strings.NewReplacer("'", "", "’", "")

// isPartOfWord reports whether r is a letter, a mark, a number or a symbol (Unicode general
// categories L, M, N, S). Others are punctuation, separators, control characters and unassigned
// code points.
func isPartOfWord(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// lowerRune returns the lower-case form of r if it is one code point.
func lowerRune(r rune) rune {
	if r == 'İ' {
		return r
	}
	return unicode.ToLower(r)
}
