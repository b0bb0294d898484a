// Package language decides whether a caption is English.
//
// The model is a logistic regression over the words of a caption and their n-grams. Its weights
// are integers, so the decision is the same on every machine.
package language

import (
	_ "embed"
	"unicode"
	"unicode/utf8"
)

// model is made by tools/makelanguage: a weight for each hash of a feature. Positive weights speak
// for a language other than English.
//
//go:embed english.bin
var model string

// Size is the number of weights of the model.
const (
	bits = 17
	Size = 1 << bits
)

// Scale is the number of steps of a weight in a unit of log odds.
const Scale = 24

// IsEnglish reports whether text is English. A text in which at least half of the letters are not
// Latin is not; one with too few words to decide is.
func IsEnglish(text string) bool {
	return isLatin(text) && Score(model, text) <= Threshold
}

// isLatin reports whether more than half of the letters of text are Latin, or it has none.
func isLatin(text string) bool {
	latin, others := 0, 0
	for _, r := range text {
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z':
			latin++
		case r < utf8.RuneSelf || !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			others++
		}
	}
	return others == 0 || latin > others
}

// Threshold is the score above which a text is not English. It is high, since a false reject loses
// a good caption, and most titles of products and names of places are not in any dictionary.
const Threshold = 3 * Scale

// maxWord bounds the score of one word, so that one foreign name does not decide.
const maxWord = 5 * Scale / 2

// Score returns how much the words of text speak for a language other than English. Weights has
// Size bytes, each a signed number.
func Score(weights, text string) int {
	sum := 0
	var features [mostFeatures]uint32
	for words := NewWords(text); words.Next(); {
		score := 0
		for _, f := range words.AppendFeatures(features[:0]) {
			score += int(int8(weights[f]))
		}
		sum += max(-maxWord, min(maxWord, score))
	}
	return sum
}

// longestWord is the number of bytes of a word that are looked at.
const longestWord = 48

// Words are the words of a text, one after the other: runs of letters and marks, in lower case. A
// word with a digit in it, such as a model number, is passed over.
type Words struct {
	rest   string
	n      int                                 // bytes of the word
	buffer [longestWord + utf8.UTFMax + 2]byte // the word, with a space before and after it
}

// NewWords returns the words of text.
func NewWords(text string) Words { return Words{rest: text} }

// Next moves to the next word. It returns false at the end of the text.
func (w *Words) Next() bool {
	w.buffer[0], w.n = ' ', 1
	hasDigit := false
	for i, r := range w.rest {
		switch {
		case 'a' <= r && r <= 'z':
		case 'A' <= r && r <= 'Z':
			r |= 0x20
		case '0' <= r && r <= '9':
			hasDigit = true
			continue
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsMark(r):
			if w.n > 2 && !hasDigit {
				w.rest = w.rest[i:]
				return w.endWord()
			}
			w.n, hasDigit = 1, false
			continue
		default:
			r = unicode.ToLower(r)
		}
		if w.n < longestWord {
			w.n += utf8.EncodeRune(w.buffer[w.n:], r)
		}
	}
	w.rest = ""
	return w.n > 2 && !hasDigit && w.endWord()
}

func (w *Words) endWord() bool {
	w.buffer[w.n] = ' '
	w.n++
	return true
}

// The lengths of n-grams, in bytes.
const (
	shortestGram = 3
	longestGram  = 5
)

// mostFeatures is the greatest number of features of a word.
const mostFeatures = (longestGram-shortestGram+1)*(longestWord+utf8.UTFMax+2) + 1

// AppendFeatures appends the features of the word: the word itself and its n-grams.
func (w *Words) AppendFeatures(to []uint32) []uint32 {
	word := w.buffer[:w.n]
	whole := uint32(offset)
	for begin := range word {
		whole = (whole ^ uint32(word[begin])) * prime
		h := uint32(offset)
		for n := 1; n <= longestGram && begin+n <= len(word); n++ {
			h = (h ^ uint32(word[begin+n-1])) * prime
			if n >= shortestGram {
				to = append(to, foldHash(h))
			}
		}
	}
	return append(to, foldHash(whole*prime))
}

// The constants of FNV-1a.
const (
	offset = 2166136261
	prime  = 16777619
)

// foldHash returns the number of a feature from its hash.
func foldHash(h uint32) uint32 { return (h ^ h>>15) * 2654435769 >> (32 - bits) }
