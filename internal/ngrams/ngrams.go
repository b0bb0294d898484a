// Package ngrams splits a text into tokens and hashes its n-grams, the input of a classifier that
// sees no image. Casing, punctuation and stray spaces can be kept, because they can reveal a
// negative.
package ngrams

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// Token is a range of a text: Begin and End are byte offsets, End exclusive. IsWord distinguishes
// words and numbers from punctuation marks. Spaces is the number of white-space characters before
// it.
type Token struct {
	Begin, End int32
	Spaces     int32
	IsWord     bool
}

// AppendTokens appends the tokens of text to dst. A word is a run of letters, marks and digits,
// with apostrophes and hyphens between them. Every other character but white space is a token of
// its own.
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
		word := isWordRune(r)
		if word {
			end = wordEnd(text, end)
		}
		dst = append(dst, Token{Begin: int32(i), End: int32(end), Spaces: spaces, IsWord: word})
		spaces = 0
		i = end
	}
	return dst
}

// wordEnd returns the end of the word that continues at text[i:].
func wordEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf && asciiWord[c] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) {
			if r != '\'' && r != '’' && r != '-' {
				return i
			}
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			if !isWordRune(next) {
				return i
			}
		}
		i += size
	}
	return i
}

// asciiWord has the ASCII characters of words.
var asciiWord = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return set
}()

func isSpace(r rune) bool {
	return r == ' ' || r != utf8.RuneError && unicode.IsSpace(r)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[r]
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

const (
	boundaryHash = 0x9e3779b97f4a7c15 // marks the beginning and the end of a text
	mixPrime     = 0xff51afd7ed558ccd
)

// Form is the part of a text that its n-grams contain.
type Form int

const (
	// AsWritten keeps everything: casing, punctuation, and unusual white space. Usual is one space
	// before a word, and none before a punctuation mark or at the beginning.
	AsWritten Form = iota
	// Words keeps only the words, in lower case.
	Words
)

// appendHashes appends to dst the hash of every token of text in that form, with a hash for the
// beginning and one for the end of the text around them.
func appendHashes(dst []uint64, text string, form Form) []uint64 {
	if form == Words {
		text = strings.ToLower(text)
	}
	var buf [64]Token
	tokens := AppendTokens(buf[:0], text)
	dst = append(dst, boundaryHash)
	for i := range tokens {
		if form == Words && !tokens[i].IsWord {
			continue
		}
		dst = append(dst, tokens[i].hashToken(text, form, i == 0))
	}
	return append(dst, boundaryHash)
}

// hashToken returns the hash of a token of text.
func (t *Token) hashToken(text string, form Form, first bool) uint64 {
	h := xxhash.Sum64String(text[t.Begin:t.End])
	norm := int32(0)
	if t.IsWord && !first {
		norm = 1
	}
	if form == AsWritten && t.Spaces != norm {
		h = mixHashes(h, uint64(t.Spaces)+1)
	}
	return h
}

// Append appends to dst the hash of every 1- to n-gram of text in that form, in text order and as
// often as each occurs. N-grams of two and more include the beginning and the end of the text.
func Append(dst []uint64, text string, n int, form Form) []uint64 {
	var buf [66]uint64
	hashes := appendHashes(buf[:0], text, form)
	return AppendTouching(dst, hashes, 0, len(hashes), n)
}

// AppendTouching appends to dst the hash of every 1- to n-gram of tokens, the hashes from
// appendHashes, that contains one of tokens[begin:end]. If that range is empty, these are the
// n-grams that contain both neighbours of the place begin.
func AppendTouching(dst, tokens []uint64, begin, end, n int) []uint64 {
	for i := max(begin-n+1, 0); i < max(end, begin) && i < len(tokens); i++ {
		h := uint64(0)
		for k := 0; k < n && i+k < len(tokens); k++ {
			h = mixHashes(h, tokens[i+k])
			if i+k >= begin && (k > 0 || tokens[i] != boundaryHash) {
				dst = append(dst, h)
			}
		}
	}
	return dst
}

// mixHashes combines two hashes; the order matters.
func mixHashes(a, b uint64) uint64 {
	h := (a ^ b>>32 ^ b<<32) * mixPrime
	h ^= h >> 29
	h = (h + b) * boundaryHash
	return h ^ h>>32
}

// DiffRange returns where two texts differ, given their hashes from appendHashes: in a[begin:aEnd]
// and b[begin:bEnd], between a common beginning and a common end.
func DiffRange(a, b []uint64) (begin, aEnd, bEnd int) {
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
