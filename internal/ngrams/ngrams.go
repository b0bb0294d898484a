// Package ngrams cuts a text into tokens and hashes its n-grams. It is what a
// classifier sees that has no image: casing, punctuation and stray spaces are
// kept where asked, because they can give a negative away.
package ngrams

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// Token is a stretch of a text: Begin and End are byte offsets, End exclusive.
// Word tells a word or number from a punctuation mark. Spaces is the number of
// white-space characters before it.
type Token struct {
	Begin, End int32
	Spaces     int32
	Word       bool
}

// AppendTokens appends the tokens of text to dst. A word is a run of letters,
// marks and digits, with apostrophes and hyphens between them; every other
// character that is not white space is a token of its own.
func AppendTokens(dst []Token, text string) []Token {
	var spaces int32
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if isSpace(r) {
			spaces++
			i += size
			continue
		}
		end := i + size
		word := inWord(r)
		if word {
			end = wordEnd(text, end)
		}
		dst = append(dst, Token{Begin: int32(i), End: int32(end), Spaces: spaces, Word: word})
		spaces = 0
		i = end
	}
	return dst
}

// wordEnd returns where the word ends that goes on at text[i:].
func wordEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf && asciiWord[c] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			if r != '\'' && r != '’' && r != '-' {
				return i
			}
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			if !inWord(next) {
				return i
			}
		}
		i += size
	}
	return i
}

// asciiWord are the ASCII characters that words are made of.
var asciiWord = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return set
}()

func isSpace(r rune) bool {
	return r == ' ' || r != utf8.RuneError && unicode.IsSpace(r)
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[r]
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

const (
	edge  = 0x9e3779b97f4a7c15 // stands for the beginning and the end of a text
	prime = 0xff51afd7ed558ccd
)

// Form is how much of a text its n-grams show.
type Form int

const (
	// AsWritten keeps everything: casing, punctuation, and white space where it
	// is not the norm, which is one space before a word and none before a
	// punctuation mark or at the beginning.
	AsWritten Form = iota
	// Words keeps the words alone, in lower case.
	Words
)

// appendHashes appends to dst the hash of every token of text in that form,
// between one for the beginning and one for the end of the text.
func appendHashes(dst []uint64, text string, form Form) []uint64 {
	if form == Words {
		text = strings.ToLower(text)
	}
	var buf [64]Token
	tokens := AppendTokens(buf[:0], text)
	dst = append(dst, edge)
	for i := range tokens {
		if form == Words && !tokens[i].Word {
			continue
		}
		dst = append(dst, tokens[i].hash(text, form, i == 0))
	}
	return append(dst, edge)
}

// hash is that of a token of text.
func (t *Token) hash(text string, form Form, first bool) uint64 {
	h := xxhash.Sum64String(text[t.Begin:t.End])
	norm := int32(0)
	if t.Word && !first {
		norm = 1
	}
	if form == AsWritten && t.Spaces != norm {
		h = mix(h, uint64(t.Spaces)+1)
	}
	return h
}

// Append appends to dst the hash of every 1- to n-gram of text in that form, in
// text order and as often as each occurs. The beginning and the end of the text
// take part in n-grams of two and more.
func Append(dst []uint64, text string, n int, form Form) []uint64 {
	var buf [66]uint64
	hashes := appendHashes(buf[:0], text, form)
	return AppendOver(dst, hashes, 0, len(hashes), n)
}

// AppendOver appends to dst the hash of every 1- to n-gram, of the tokens that
// appendHashes gave, in which at least one of tokens[begin:end] takes part, or
// which spans begin where the range is empty.
func AppendOver(dst, tokens []uint64, begin, end, n int) []uint64 {
	for i := max(begin-n+1, 0); i < max(end, begin) && i < len(tokens); i++ {
		h := uint64(0)
		for k := 0; k < n && i+k < len(tokens); k++ {
			h = mix(h, tokens[i+k])
			if i+k >= begin && (k > 0 || tokens[i] != edge) {
				dst = append(dst, h)
			}
		}
	}
	return dst
}

// mix combines two hashes; the order matters.
func mix(a, b uint64) uint64 {
	h := (a ^ b>>32 ^ b<<32) * prime
	h ^= h >> 29
	h = (h + b) * edge
	return h ^ h>>32
}

// Differ returns where two texts differ, given the tokens that appendHashes
// gave: a[begin:aEnd] and b[begin:bEnd] lie between what they begin with and
// what they end with in common.
func Differ(a, b []uint64) (begin, aEnd, bEnd int) {
	shorter := min(len(a), len(b))
	for begin < shorter && a[begin] == b[begin] {
		begin++
	}
	same := 0
	for same < shorter-begin && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	return begin, len(a) - same, len(b) - same
}
