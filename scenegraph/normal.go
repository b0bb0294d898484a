package scenegraph

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/text/unicode/norm"
)

// NormalizeText is the form in which texts are compared: two texts with one
// normal form say the same. docs/format.md has the rule step by step, with test
// vectors.
func NormalizeText(s string) string {
	return string(AppendNormalized(nil, s))
}

// TextID is the pos_id of a text: XXH64, seed 0, of the UTF-8 bytes of
// NormalizeText(s), read as a two's complement integer.
func TextID(s string) int64 {
	var buf [256]byte
	return NormalizedID(AppendNormalized(buf[:0], s))
}

// NormalizedID is TextID of a text that is normalised already.
func NormalizedID(normalized []byte) int64 {
	return int64(xxhash.Sum64(normalized))
}

// AppendNormalized appends NormalizeText(s) to dst.
func AppendNormalized(dst []byte, s string) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(s)+1)
	// out has room for the letters and a space after the last word.
	out := dst[start : start+len(s)+1]
	n, word := 0, 0 // word is where the current word begins
	for i := range len(s) {
		b := ascii[s[i]]
		if b > beyond {
			out[n] = b
			n++
			continue
		}
		switch b {
		case apart:
			n = endWord(out, word, n)
			word = n
		case beyond:
			return appendUnicode(dst, s)
		}
	}
	if n = endWord(out, word, n); n == 0 {
		return appendWords(dst, s)
	}
	return dst[:start+n-1]
}

// appendUnicode is AppendNormalized of any text.
func appendUnicode(dst []byte, s string) []byte {
	// norm leaves what follows an invalid byte as it is.
	s = norm.NFC.String(apostrophes.Replace(strings.ToValidUTF8(s, "\uFFFD")))
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
			dst = utf8.AppendRune(dst, lower(r))
		default:
			end()
		}
	}
	if end(); len(dst) > start {
		// What has no capital composes only now: T and U+0308.
		return append(dst[:start], norm.NFC.Bytes(dst[start:len(dst)-1])...)
	}
	return appendWords(dst, s)
}

// What ascii has of bytes that are not part of a word.
const (
	apart   = 0 // stands between words
	leftOut = 1 // is left out
	beyond  = 2 // is not ASCII
)

// ascii has the lower-case form of each ASCII character that is part of a word.
var ascii = func() (table [256]byte) {
	for b := utf8.RuneSelf; b < len(table); b++ {
		table[b] = beyond
	}
	for r := range rune(utf8.RuneSelf) {
		if isPartOfWord(r) {
			table[r] = byte(lower(r))
		}
	}
	table['\''] = leftOut
	return table
}()

// endWord closes the word text[word:n] with a space, or takes it back where it is
// an article, and returns where the text ends. There is room for the space.
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

// appendWords appends the words of a text that consists of nothing but
// articles.
func appendWords(dst []byte, s string) []byte {
	pending := false
	for _, r := range s {
		switch {
		case r == '\'':
		case isPartOfWord(r):
			if pending {
				dst = append(dst, ' ')
				pending = false
			}
			dst = utf8.AppendRune(dst, lower(r))
		default:
			pending = len(dst) > 0
		}
	}
	return dst
}

// apostrophes leaves out the typographic apostrophe and the plain one, so that
// what they stood between composes.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// isPartOfWord holds for letters, marks, numbers and symbols (Unicode general
// categories L, M, N, S): what is left are punctuation, separators, control
// characters and unassigned code points.
func isPartOfWord(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// lower maps a code point to its lower-case form where that is one code point.
func lower(r rune) rune {
	if r == 'İ' {
		return r
	}
	return unicode.ToLower(r)
}
