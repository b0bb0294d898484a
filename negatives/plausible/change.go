package plausible

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"capgraph/internal/wordpiece"
)

// vectorsFile has the vectors of word pieces. It is made by tools/bench/judge/vectors.py.
//
//go:embed vectors.bin
var vectorsFile string

// Dimensions is the number of dimensions of a vector.
const Dimensions = 32

// Vectors has the vectors of word pieces, which are similar for words used in similar contexts. It is safe for
// concurrent use.
type Vectors struct {
	pieces *wordpiece.Vocabulary
	rows   string // of int8, in units
	unit   float32
}

// OwnVectors returns the embedded vectors (vectors.bin).
var OwnVectors = sync.OnceValues(func() (*Vectors, error) { return ReadVectors(vectorsFile) })

// ReadVectors reads vectors. First come, as little-endian uint32, the numbers of pieces, of dimensions and of bytes of
// the vocabulary, and, as float32, the value of a unit; then the vocabulary, each piece with a newline after it, and a
// row of int8 for each piece.
func ReadVectors(s string) (*Vectors, error) {
	const header = 16
	if len(s) < header {
		return nil, fmt.Errorf("vectors.bin: cut off after %d bytes", len(s))
	}
	var numbers [header / 4]uint32
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32([]byte(s[4*i : 4*i+4]))
	}
	pieces, size := uint64(numbers[0]), uint64(numbers[2])
	if numbers[1] != Dimensions || uint64(len(s)) != header+size+Dimensions*pieces {
		return nil, fmt.Errorf("vectors.bin: %d bytes for %d pieces of %d numbers, want %d numbers each", len(s), pieces, numbers[1], Dimensions)
	}
	list := strings.Split(s[header:header+size], "\n")
	if uint64(len(list)) != pieces+1 {
		return nil, fmt.Errorf("vectors.bin: %d lines in the vocabulary, want %d", len(list)-1, pieces)
	}
	v, err := wordpiece.New(list[:pieces])
	if err != nil {
		return nil, fmt.Errorf("vectors.bin: %w", err)
	}
	return &Vectors{v, s[header+size:], math.Float32frombits(numbers[3])}, nil
}

const (
	besideChange = 6 // words on each side of a change that it is compared with
	nextToChange = 2 // words right before it, and as many right after it
	mostCounted  = 2 // limit for changed words: a swap of distant words is no less plausible than one of close ones
)

// changeNames names the numbers that Changes.AppendTo appends: the cosines of the new and the old words with each other
// and with the words around; the lengths of both mean vectors; their numbers of words; and both vectors.
var changeNames = slices.Concat(
	[]string{"new like old", "new like the rest", "old like the rest", "new like what precedes", "new like what follows", "length of new", "length of old", "words of new", "words of old"},
	numberNames("new "), numberNames("old "))

// ChangeCount is how many numbers Changes.AppendTo appends.
var ChangeCount = len(changeNames)

func numberNames(prefix string) []string {
	names := make([]string, Dimensions)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i+1)
	}
	return names
}

// bag is the sum of the vectors of words.
type bag struct {
	sum           [Dimensions]int32
	words, pieces int
}

// Changes compares, by vectors, the words that change between a positive and a text. It caches the sums of the last
// positive's words, since several candidates replace the same words.
type Changes struct {
	*Vectors
	positive                 []byte
	begin, end               int
	old, before, after, rest bag
}

// AppendTo appends the numbers that changeNames describes to e, for the words in which text differs from positive.
func (c *Changes) AppendTo(e Evidence, positive, text string) Evidence {
	begin, end, to := findChange(positive, text)
	if c.begin != begin || c.end != end || string(c.positive) != positive {
		c.read(positive, begin, end)
	}
	var isNew bag
	c.addFirst(&isNew, text[begin:to], len(text))
	old := &c.old
	if begin == end {
		old = &isNew // an added word counts as its own replacement, as in its claim
	}
	e = append(e, likeness(&isNew, old), likeness(&isNew, &c.rest), likeness(old, &c.rest), likeness(&isNew, &c.before), likeness(&isNew, &c.after),
		c.length(&isNew), c.length(old), float64(min(isNew.words, mostCounted)), float64(min(old.words, mostCounted)))
	for _, b := range []*bag{&isNew, old} {
		for _, x := range b.sum {
			e = append(e, float64(c.unit)*float64(x)/float64(max(1, b.pieces)))
		}
	}
	return e
}

// read sets the sums of the words of a positive from byte begin to byte end, and of those around them.
func (c *Changes) read(positive string, begin, end int) {
	c.positive, c.begin, c.end = append(c.positive[:0], positive...), begin, end
	c.old, c.before, c.after, c.rest = bag{}, bag{}, bag{}, bag{}
	c.addFirst(&c.old, positive[begin:end], len(positive))
	c.addLast(&c.before, positive[:begin], nextToChange)
	c.addFirst(&c.after, positive[end:], nextToChange)
	c.addLast(&c.rest, positive[:begin], besideChange)
	c.addFirst(&c.rest, positive[end:], besideChange)
}

// findChange returns the byte at which the differing words begin, and the bytes at which they end in the positive and
// in the text.
func findChange(positive, text string) (begin, end, to int) {
	isEnd := func(s string, i int) bool { return i == len(s) || s[i] == ' ' }
	isBegin := func(s string, i int) bool { return i == 0 || s[i-1] == ' ' }
	for begin < min(len(positive), len(text)) && lower(positive[begin]) == lower(text[begin]) {
		begin++
	}
	if !isEnd(positive, begin) || !isEnd(text, begin) {
		for !isBegin(positive, begin) {
			begin--
		}
	}
	end, to = len(positive), len(text)
	for end > begin && to > begin && lower(positive[end-1]) == lower(text[to-1]) {
		end, to = end-1, to-1
	}
	for !isBegin(positive, end) && end < len(positive) || !isBegin(text, to) && to < len(text) {
		end, to = end+1, to+1
	}
	return begin, end, to
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// empty are words that are left out, since they do not describe a thing.
const empty = " a an the is are that who which there be of and some "

// addFirst adds the vectors of the first n words of s, without empty ones.
func (v *Vectors) addFirst(b *bag, s string, n int) {
	for n += b.words; s != "" && b.words < n; {
		var w string
		w, s, _ = strings.Cut(s, " ")
		v.addWord(b, w)
	}
}

// addLast adds the vectors of the last n words of s, without empty ones.
func (v *Vectors) addLast(b *bag, s string, n int) {
	for s != "" && b.words < n {
		at := strings.LastIndexByte(s, ' ')
		v.addWord(b, s[at+1:])
		s = s[:max(0, at)]
	}
}

func (v *Vectors) addWord(b *bag, word string) {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if word == "" || strings.Contains(empty, " "+strings.ToLower(word)+" ") {
		return
	}
	b.words++
	var pieces [16]int32
	for _, p := range v.pieces.AppendPieces(word, pieces[:0]) {
		row := v.rows[int(p)*Dimensions:][:Dimensions]
		for i := range b.sum {
			b.sum[i] += int32(int8(row[i]))
		}
		b.pieces++
	}
}

// product returns the dot product of two sums. They have integers, so it is exact.
func product(a, b *bag) (p int64) {
	for i, x := range a.sum {
		p += int64(x) * int64(b.sum[i])
	}
	return p
}

// likeness returns the cosine of two sums, or 0 if one has no words.
func likeness(a, b *bag) float64 {
	aa, bb := product(a, a), product(b, b)
	if aa == 0 || bb == 0 {
		return 0
	}
	return float64(product(a, b)) / (math.Sqrt(float64(aa)) * math.Sqrt(float64(bb)))
}

// length returns the length of the mean vector of a sum.
func (v *Vectors) length(b *bag) float64 {
	return float64(v.unit) * math.Sqrt(float64(product(b, b))) / float64(max(1, b.pieces))
}
