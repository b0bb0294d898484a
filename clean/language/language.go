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

// model has a weight for each hash of a feature, written by tools/makelanguage. Positive weights
// are evidence of a language other than English.
//
//go:embed english.bin
var model string

// Size is the number of weights of the model.
const (
	bits = 17
	Size = 1 << bits
)

// Scale is how many steps of a weight make one unit of log odds.
const Scale = 24

// IsEnglish reports whether text is English. A text is not English if at least half of its letters
// are not Latin. A text with too few words to decide counts as English.
func IsEnglish(text string) bool {
	return isLatin(text) && Score(model, text) <= Threshold
}

// isLatin reports whether more than half of the letters of text are Latin. It is true for a text without
// letters.
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

// Threshold is the score above which a text is not English. It is high, since a false rejection
// loses a good caption, and many names of products and places are in no dictionary.
const Threshold = 3 * Scale

// maxWord bounds the score of one word, so that one foreign name does not decide alone.
const maxWord = 5 * Scale / 2

// Score returns the sum of the weights of the words of text; the higher, the less English. weights
// has Size bytes, each a signed number.
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

// longestWord is how many bytes of a word are read at most.
const longestWord = 48

// Words iterates over the words of a text in lower case: runs of letters and marks. It skips words
// with a digit, such as model numbers.
type Words struct {
	rest   string
	n      int                                 // length of the word in buffer
	buffer [longestWord + utf8.UTFMax + 2]byte // the word, with a space before and after it
}

// NewWords returns an iterator before the first word of text.
func NewWords(text string) Words { return Words{rest: text} }

// Next moves to the next word. It returns false if there is none.
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

// mostFeatures bounds the number of features of a word.
const mostFeatures = (longestGram-shortestGram+1)*(longestWord+utf8.UTFMax+2) + 1

// AppendFeatures appends the features of the current word: hashes of the word and of its n-grams.
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

// The constants of the hash function FNV-1a.
const (
	offset = 2166136261
	prime  = 16777619
)

// foldHash reduces a hash to the index of its weight.
func foldHash(h uint32) uint32 { return (h ^ h>>15) * 2654435769 >> (32 - bits) }
