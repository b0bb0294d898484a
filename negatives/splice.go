package negatives

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// splice puts text in the place of the tokens first to last of a caption.
type splice struct {
	first, last int
	text        string
}

// captionWords are the tokens of a caption in lower case.
type captionWords struct {
	text   string
	tokens []schemas.Token
	tags   []tags
	lower  []string
	// objects are those of the graph, of which known says more.
	objects []schemas.Object
	known   []knownObject
	// named has the noun that begins at a token, and where it ends.
	named []namedRun
}

type namedRun struct {
	last int
	noun *noun
}

func (w *captionWords) read(c *Caption, known []knownObject) {
	w.text, w.tokens, w.objects, w.known = c.Text, c.Tokens, c.Graph.Objects, known
	w.tags, w.lower, w.named = schemas.Resize(w.tags, len(c.Tokens)), schemas.Resize(w.lower, len(c.Tokens)), schemas.Resize(w.named, len(c.Tokens))
	for i := range c.Tokens {
		t := &c.Tokens[i]
		w.tags[i], w.lower[i], w.named[i] = tagOf(t.Tag), strings.ToLower(c.Text[t.Begin:t.End]), namedRun{}
		if w.tags[i] == tagNNS && singular(w.lower, i, t.Lemma) {
			w.tags[i] = tagNN
		}
	}
}

// singular holds for what a tagger takes for a plural after "a": "a white sheep", "a women".
func singular(lower []string, i int, lemma string) bool {
	if lower[i] == "women" || lower[i] == "men" {
		return i > 0 && lower[i-1] == "a"
	}
	for j := i - 1; lower[i] == lemma && j >= 0 && j >= i-3; j-- {
		switch lower[j] {
		case "a", "an":
			return true
		case "few", "couple", "dozen", "hundred", "of", "and":
			return false
		}
	}
	return false
}

// is holds where the token at i has one of the tags.
func (w *captionWords) is(i int, one tags) bool {
	return uint(i) < uint(len(w.tags)) && w.tags[i]&one != 0
}

// noun is the one that the tokens first to last name.
func (w *captionWords) noun(words *words, first, last int) *noun {
	n := &w.named[first]
	if n.noun == nil || n.last != last {
		*n = namedRun{last, w.find(words, w.key(first, last), w.tokens[last].End)}
	}
	return n.noun
}

// find looks for a noun that ends at a place among the objects of the graph, which
// mostly has it, and then among all words.
func (w *captionWords) find(words *words, key string, end int32) *noun {
	for i := range w.objects {
		if w.objects[i].End == end && w.known[i].noun.key == key {
			return w.known[i].noun
		}
	}
	return words.noun(key)
}

// original is what stands at tokens first to last.
func (w *captionWords) original(first, last int) string {
	return w.text[w.tokens[first].Begin:w.tokens[last].End]
}

// apply appends the caption with the splices, which are in order and do not
// overlap: at the beginning, and where all words have capitals, the case of a new
// word is that of the word in whose place it stands; and an article right before it is made to fit.
func (w *captionWords) apply(dst []byte, splices []splice) []byte {
	at := int32(0)
	for _, s := range splices {
		begin := w.tokens[s.first].Begin
		if i := s.first - 1; i >= 0 && (w.lower[i] == "a" || w.lower[i] == "an") && w.tokens[i].Begin >= at {
			dst = append(dst, w.text[at:w.tokens[i].Begin]...)
			dst = appendInCase(dst, lexicon.Article(s.text), w.original(i, i))
			at = w.tokens[i].End
		}
		dst = append(dst, w.text[at:begin]...)
		switch model := w.original(s.first, s.first); {
		case model != w.lower[s.first] && w.titled():
			dst = appendTitled(dst, s.text, model)
		case s.first == 0:
			dst = appendInCase(dst, s.text, model)
		default:
			dst = append(dst, s.text...)
		}
		at = w.tokens[s.last].End
	}
	return append(dst, w.text[at:]...)
}

func (w *captionWords) titled() bool { return titled(w.text, w.tokens) }

// doubled holds where one of the splices begins with the word before it, or ends
// with the word after it.
func (w *captionWords) doubled(splices []splice) bool {
	for i, s := range splices {
		before, after := "", ""
		if s.first > 0 {
			before = w.lower[s.first-1]
		}
		if s.last+1 < len(w.lower) {
			after = w.lower[s.last+1]
		}
		if i > 0 && splices[i-1].last == s.first-1 {
			before = splices[i-1].text
		}
		if i+1 < len(splices) && splices[i+1].first == s.last+1 {
			after = splices[i+1].text
		}
		if repeats(before, s.text) || repeats(s.text, after) {
			return true
		}
	}
	return false
}

// repeats holds where b begins with the word that a ends with.
func repeats(a, b string) bool {
	last := a[strings.LastIndexByte(a, ' ')+1:]
	first, _ := cut(b)
	return last != "" && len(first) == len(last) && strings.EqualFold(first, last)
}

// appendInCase appends text with a capital where model has one, and in capitals
// where model is; "TV" is no model.
func appendInCase(dst []byte, text, model string) []byte {
	first, size := utf8.DecodeRuneInString(model)
	if !unicode.IsUpper(first) || isAcronym(model) && len(model) == 2 {
		return append(dst, text...)
	}
	if rest := model[size:]; len(rest) > 1 && strings.ToUpper(rest) == rest && strings.ToLower(rest) != rest {
		return append(dst, strings.ToUpper(text)...)
	}
	r, n := utf8.DecodeRuneInString(text)
	dst = utf8.AppendRune(dst, unicode.ToUpper(r))
	return append(dst, text[n:]...)
}

// appendTitled is appendInCase for each of the words of text.
func appendTitled(dst []byte, text, model string) []byte {
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendInCase(dst, word, model)
	}
	return dst
}

// moved is what stands at tokens first to last, to be put elsewhere: without the
// capital that only the beginning of a caption gives it.
func (w *captionWords) moved(first, last int) string {
	s := w.original(first, last)
	if w.is(first, tagNNP|tagNNPS) || isAcronym(w.original(first, first)) {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// isAcronym holds for words with capitals after the first letter.
func isAcronym(word string) bool {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ContainsFunc(word[n:], unicode.IsUpper)
}
