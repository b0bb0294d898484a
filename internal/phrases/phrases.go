// Package phrases reads the phrases that are given with a caption as its objects, and finds their places in the
// cleaned caption. They may be a list of texts, a list of spans, or marked in the caption:
//
//	["two men", "hat"]                                            texts, such as a detector's labels
//	[{"start": 0, "end": 7, "text": "Two men", "label": "person"}] spans, as GLiNER has them: characters, from 0
//	[[0, 7], [12, 17]]                                            spans
//	[/EN#1/people Two men] in [/EN#2/clothing hats]               marks, as Flickr30k Entities has them
package phrases

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/schemas"
)

// The bounds of phrases.
const (
	Most     = 256  // phrases of a caption
	maxBytes = 1000 // of one
)

// mark begins a phrase of Flickr30k Entities.
const mark = "[/EN#"

// AreMarked reports whether a text has marks of Flickr30k Entities.
func AreMarked(text string) bool { return strings.Contains(text, mark) }

// Parse returns the phrases in a cell of a caption: JSON or a text with marks. The list is empty and not nil if there
// are none. An error says what is wrong with the cell.
func Parse(cell, caption string) ([]schemas.Phrase, error) {
	if AreMarked(cell) {
		plain, list, err := Unmark(cell)
		Move(list, plain, caption)
		return list, err
	}
	var elements []json.RawMessage
	if err := json.Unmarshal([]byte(cell), &elements); err != nil || elements == nil {
		return nil, fmt.Errorf("is neither a list nor a text with marks such as %s1/people Two men]: %.60q", mark, cell)
	}
	if len(elements) > Most {
		return nil, fmt.Errorf("has %d phrases, more than %d", len(elements), Most)
	}
	list := make([]schemas.Phrase, 0, len(elements))
	places := newCharacters(caption)
	for i, e := range elements {
		p, err := parseElement(e, places)
		if err != nil {
			return nil, fmt.Errorf("phrase %d: %w", i+1, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// element is an element of a list of phrases: a span, or the words of a phrase, as GLiNER, spaCy or a detector write
// it.
type element struct {
	Start, End          *int
	Text, Phrase, Label *string
}

// parseElement returns the phrase of a list element.
func parseElement(raw json.RawMessage, places *characters) (schemas.Phrase, error) {
	var e element
	var text string
	var pair []json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil && raw[0] == '"':
		return newPhrase(text)
	case json.Unmarshal(raw, &pair) == nil && len(pair) >= 2:
		if json.Unmarshal(pair[0], &e.Start) != nil || json.Unmarshal(pair[1], &e.End) != nil {
			return schemas.Phrase{}, fmt.Errorf("want [start, end], not %.60s", raw)
		}
	case raw[0] != '{':
		return schemas.Phrase{}, fmt.Errorf("want a text, a span or [start, end], not %.60s", raw)
	default:
		if err := json.Unmarshal(raw, &e); err != nil {
			return schemas.Phrase{}, fmt.Errorf("want a text in text or label, and whole numbers in start and end, not %.60s", raw)
		}
	}
	if e.Start != nil && e.End != nil {
		return places.phraseAt(*e.Start, *e.End, e.Text)
	}
	for _, t := range []*string{e.Text, e.Phrase, e.Label} {
		if t != nil {
			return newPhrase(*t)
		}
	}
	return schemas.Phrase{}, fmt.Errorf("has no start and end, and no text or label: %.60s", raw)
}

// newPhrase returns a phrase without a place, which is later found by its words.
func newPhrase(text string) (schemas.Phrase, error) {
	if len(text) > maxBytes {
		return schemas.Phrase{}, fmt.Errorf("has %d bytes, more than %d", len(text), maxBytes)
	}
	return schemas.Phrase{Text: strings.ToValidUTF8(text, "\uFFFD"), Begin: schemas.NoOffset, End: schemas.NoOffset}, nil
}

// characters maps the characters of a text to byte offsets.
type characters struct {
	text    string
	offsets []int32 // of each character; nil if all characters have one byte
}

func newCharacters(text string) *characters {
	c := &characters{text: text}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		for i := range text {
			c.offsets = append(c.offsets, int32(i))
		}
		c.offsets = append(c.offsets, int32(len(text)))
	}
	return c
}

// phraseAt returns the phrase of the characters [start, end) of the text. words, unless nil, are the words that
// should be there.
func (c *characters) phraseAt(start, end int, words *string) (schemas.Phrase, error) {
	n := len(c.text)
	if c.offsets != nil {
		n = len(c.offsets) - 1
	}
	if start < 0 || end > n || start >= end {
		return schemas.Phrase{}, fmt.Errorf("[%d, %d) is not in the caption of %d characters", start, end, n)
	}
	p := schemas.Phrase{Begin: int32(start), End: int32(end)}
	if c.offsets != nil {
		p.Begin, p.End = c.offsets[start], c.offsets[end]
	}
	p.Text = c.text[p.Begin:p.End]
	if words != nil && removeSpaces(*words) != removeSpaces(p.Text) {
		return p, fmt.Errorf("%.40q is not at [%d, %d) of the caption, but %.40q (offsets are characters)", *words, start, end, p.Text)
	}
	return p, nil
}

// Unmark returns a text without the marks of Flickr30k Entities, and the marked phrases. The number after # is the
// entity. Phrases of entity 0 are not in the image, and are left out.
func Unmark(marked string) (caption string, list []schemas.Phrase, err error) {
	list = []schemas.Phrase{}
	var plain strings.Builder
	for {
		before, rest, ok := strings.Cut(marked, mark)
		plain.WriteString(before)
		if !ok {
			return plain.String(), list, nil
		}
		end := strings.IndexByte(rest, ']')
		head, words, hasWords := strings.Cut(rest[:max(end, 0)], " ")
		number, _, _ := strings.Cut(head, "/")
		var entity int32
		if _, err := fmt.Sscanf(number, "%d", &entity); err != nil || end < 0 || !hasWords || entity < 0 {
			return "", nil, fmt.Errorf("want marks such as %s1/people Two men], not %.40q", mark, mark+rest)
		}
		begin := int32(plain.Len())
		plain.WriteString(words)
		if entity > 0 && strings.TrimSpace(words) != "" {
			if len(list) == Most {
				return "", nil, fmt.Errorf("has more than %d phrases", Most)
			}
			list = append(list, schemas.Phrase{Text: words, Begin: begin, End: int32(plain.Len()), Entity: entity})
		}
		marked = rest[end+1:]
	}
}

// Move changes the places of phrases from one text to another with the same words, which may differ in spaces and
// case, such as the cleaned caption. A phrase that is not found gets no place, so that its words are searched for.
func Move(list []schemas.Phrase, from, to string) {
	if from == to {
		return
	}
	a, b := newSqueezed(from), newSqueezed(to)
	for i := range list {
		p := &list[i]
		if p.Begin < 0 {
			continue
		}
		words := removeSpaces(from[p.Begin:p.End])
		nth := 1 + a.countBefore(words, p.Begin)
		p.Begin, p.End = b.find(words, nth)
	}
}

// squeezed is a text in lower case without white space, with the offset of each of its bytes in the whole text.
type squeezed struct {
	text    string
	offsets []int32 // of the byte's character in the whole text
	ends    []int32
}

func newSqueezed(text string) squeezed {
	s := squeezed{}
	var b strings.Builder
	for i, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		n := b.Len()
		b.WriteRune(unicode.ToLower(r))
		size := utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			size = 1
		}
		for range b.Len() - n {
			s.offsets, s.ends = append(s.offsets, int32(i)), append(s.ends, int32(i+size))
		}
	}
	s.text = b.String()
	return s
}

func removeSpaces(text string) string { return newSqueezed(text).text }

// countBefore returns how often words begin before an offset of the whole text.
func (s *squeezed) countBefore(words string, offset int32) (n int) {
	for at := 0; words != ""; at++ {
		i := strings.Index(s.text[at:], words)
		if i < 0 || s.offsets[at+i] >= offset {
			break
		}
		at += i
		n++
	}
	return n
}

// find returns the place of the nth occurrence of words in the whole text, or NoOffset twice.
func (s *squeezed) find(words string, nth int) (begin, end int32) {
	for at := 0; words != ""; at++ {
		i := strings.Index(s.text[at:], words)
		if i < 0 {
			break
		}
		at += i
		if nth--; nth == 0 {
			return s.offsets[at], s.ends[at+len(words)-1]
		}
	}
	return schemas.NoOffset, schemas.NoOffset
}
