package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"capgraph/store"
)

// unknownPenalty is subtracted from the lowest score of a piece to get the score of an unknown
// character.
const unknownPenalty = 10

// Unigram is a tokenizer with SentencePiece's unigram model (Kudo 2018), such as SigLIP's: it
// splits a word into the pieces with the highest sum of scores. It is read from a tokenizer.json of
// Hugging Face and returns the ids of open_clip's HFTokenizer with the cleaning "canonicalize":
// lower case, no ASCII punctuation. SigLIP's text tower reads padding too, so every text has
// exactly Context ids: it is padded with end marks.
type Unigram struct {
	ids          map[string]int32 // the ids of pieces
	scores       []float64
	longest      int // maximum length of a piece in bytes
	unknown, end int32
	unknownScore float64
	bytes        []int32 // the ids of the pieces of bytes, which encode unknown characters; nil if there are none

	normalize    []func(string) string
	splitSpaces  bool   // the text is split at white space first
	mark, prefix string // what replaces a space, and what is added before a text

	context int
	words   *cache

	file    []byte // the file that was read, in which endName is the name of the end mark
	endName string
}

// OpenUnigram reads a tokenizer.json with a unigram model, for texts of DefaultContext ids. It is
// an error if the file has a setting for which the ids would differ from those of Hugging Face's
// tokenizers.
func OpenUnigram(s store.Store, name string) (*Unigram, error) {
	data, err := store.ReadFile(s, name, maxFile)
	if err != nil {
		return nil, err
	}
	u, err := decodeUnigram(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	u.file = data
	return u, nil
}

// Save writes into a folder the tokenizer.json that u was read from, and a tokenizer_config.json
// that makes open_clip pad as u does.
func (u *Unigram) Save(s store.Store, dir string) error {
	config, err := json.MarshalIndent(map[string]string{
		"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": u.endName, "pad_token": u.endName,
	}, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(store.ReplaceFile(s, store.Join(dir, "tokenizer.json"), u.file), store.ReplaceFile(s, store.Join(dir, "tokenizer_config.json"), append(config, '\n')))
}

// WithContext returns u for texts of n ids; n is at least 2. Both share their memory.
func (u *Unigram) WithContext(n int) (*Unigram, error) {
	if n < 2 {
		return nil, fmt.Errorf("a context of %d ids: at least 2 are needed", n)
	}
	v := *u
	v.context = n
	return &v, nil
}

// Size implements Tokenizer.
func (u *Unigram) Size() int { return len(u.scores) }

// Context implements Tokenizer. Every text has exactly this number of ids.
func (u *Unigram) Context() int { return u.context }

// Encode implements Tokenizer. It appends Context ids.
func (u *Unigram) Encode(dst []int32, text string) []int32 {
	last := len(dst) + u.context - 1 // the last place, which has an end mark
	text = canonicalizeText(text)
	for _, f := range u.normalize {
		text = f(text)
	}
	parts := []string{text}
	if u.splitSpaces {
		parts = strings.Fields(text)
	}
	for _, part := range parts {
		for word := range u.eachWord(part) {
			if len(dst) >= last {
				break
			}
			dst = u.appendWord(dst, word)
		}
	}
	dst = dst[:min(len(dst), last)]
	for len(dst) <= last {
		dst = append(dst, u.end)
	}
	return dst
}

// eachWord returns an iterator over the words of a text, each with u.mark for the space before it.
func (u *Unigram) eachWord(text string) func(yield func(string) bool) {
	text = strings.ReplaceAll(text, " ", u.mark)
	if text != "" && !strings.HasPrefix(text, u.prefix) {
		text = u.prefix + text
	}
	return func(yield func(string) bool) {
		for text != "" {
			_, first := utf8.DecodeRuneInString(text)
			end := len(text)
			if at := strings.Index(text[first:], u.mark); at >= 0 {
				end = first + at
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

// appendWord appends the ids of a word to dst, from the cache if possible.
func (u *Unigram) appendWord(dst []int32, word string) []int32 {
	if ids, known := u.words.get([]byte(word)); known {
		return append(dst, ids...)
	}
	ids := u.segmentWord(word)
	u.words.put([]byte(word), ids)
	return append(dst, ids...)
}

// bestPath is the best segmentation of a word up to some byte: the sum of its scores, and its last
// piece.
type bestPath struct {
	score float64
	start int // start of the last piece; -1 if there is no segmentation
	id    int32
}

// segmentWord returns the ids of the pieces of a word, which have the highest sum of scores.
func (u *Unigram) segmentWord(word string) (ids []int32) {
	paths := make([]bestPath, len(word)+1)
	for i := range paths {
		paths[i].start = -1
	}
	improve := func(end int, p bestPath) {
		if paths[end].start < 0 || p.score > paths[end].score {
			paths[end] = p
		}
	}
	for at := 0; at < len(word); {
		_, n := utf8.DecodeRuneInString(word[at:])
		isPiece := false // whether the character at at is a piece
		for end := at + 1; end <= min(at+u.longest, len(word)); end++ {
			if id, ok := u.ids[word[at:end]]; ok {
				improve(end, bestPath{paths[at].score + u.scores[id], at, id})
				isPiece = isPiece || end == at+n
			}
		}
		if !isPiece {
			improve(at+n, bestPath{paths[at].score + u.unknownScore, at, u.unknown})
		}
		at += n
	}
	for end := len(word); end > 0; {
		p := paths[end]
		if p.id != u.unknown {
			ids, end = append(ids, p.id), p.start
			continue
		}
		first := p.start // neighbouring unknown characters are one piece
		for first > 0 && paths[first].id == u.unknown {
			first = paths[first].start
		}
		ids, end = u.appendUnknown(ids, word[first:end]), first
	}
	slices.Reverse(ids)
	return ids
}

// appendUnknown appends the ids of a text of unknown characters, in reverse order.
func (u *Unigram) appendUnknown(ids []int32, text string) []int32 {
	if id, ok := u.ids[text]; ok {
		return append(ids, id)
	}
	if u.bytes == nil {
		return append(ids, u.unknown)
	}
	for i := len(text) - 1; i >= 0; i-- {
		ids = append(ids, u.bytes[text[i]])
	}
	return ids
}
