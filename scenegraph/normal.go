package scenegraph

import (
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
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			// norm leaves what follows an invalid byte as it is.
			s = norm.NFC.String(apostrophes.Replace(strings.ToValidUTF8(s, "\uFFFD")))
			break
		}
	}
	start := len(dst)
	word := start // where the current word begins
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			if b := ascii[s[i]]; b != 0 {
				dst = append(dst, b)
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size - 1
		switch {
		case r == '\'':
		case r >= utf8.RuneSelf && isPartOfWord(r):
			dst = utf8.AppendRune(dst, lower(r))
		default:
			dst = endWord(dst, word)
			word = len(dst)
		}
	}
	dst = endWord(dst, word)
	if len(dst) > start {
		return dst[:len(dst)-1]
	}
	return appendWords(dst, s)
}

// ascii has the lower-case form of each ASCII character that is part of a word,
// 0 of the others.
var ascii = func() (table [utf8.RuneSelf]byte) {
	for r := range rune(utf8.RuneSelf) {
		if isPartOfWord(r) {
			table[r] = byte(lower(r))
		}
	}
	return table
}()

// endWord closes the word that begins at word with a space, or takes it back
// where it is an article.
func endWord(dst []byte, word int) []byte {
	if len(dst) > word+len("the") {
		return append(dst, ' ')
	}
	switch string(dst[word:]) {
	case "":
		return dst
	case "a", "an", "the":
		return dst[:word]
	}
	return append(dst, ' ')
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
