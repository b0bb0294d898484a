package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// captionWords has the tokens of a caption with their tags, their words in lower case, and the nouns and objects among
// them.
type captionWords struct {
	words  *words.Cache
	text   string
	tokens []schemas.Token
	tags   []tags
	lower  []string
	// objects are the objects of the graph; known has what is known of each.
	objects []schemas.Object
	known   []knownObject
	// named caches, for a first token, the last token and the noun of the last lookup (see nounAt).
	named []namedRun
	// written has the token ranges of quoted words, such as those on a sign.
	written []grammar.Written
	// runs are the caption's noun phrases; hasRuns reports whether they were found yet.
	runs    []run
	hasRuns bool
}

// isWritten reports whether the token at i is among quoted words, such as those on a sign.
func (w *captionWords) isWritten(i int) bool {
	return slices.ContainsFunc(w.written, func(q grammar.Written) bool { return q.From <= i && i < q.To })
}

type namedRun struct {
	last int
	noun *words.Noun
}

func (w *captionWords) read(words *words.Cache, c *Caption, known []knownObject) {
	w.runs, w.hasRuns = w.runs[:0], false
	w.words, w.text, w.tokens, w.objects, w.known = words, c.Text, c.Tokens, c.Graph.Objects, known
	w.tags, w.lower, w.named = schemas.Resize(w.tags, len(c.Tokens)), schemas.Resize(w.lower, len(c.Tokens)), schemas.Resize(w.named, len(c.Tokens))
	for i := range c.Tokens {
		t := &c.Tokens[i]
		w.tags[i], w.lower[i], w.named[i] = tagOf(t.Tag), strings.ToLower(c.Text[t.Begin:t.End]), namedRun{}
		if w.tags[i] == tagNNS && isSingularAfterArticle(w.lower, i, t.Lemma) {
			w.tags[i] = tagNN
		}
	}
	w.written = grammar.FindWritten(w.written[:0], c)
	for _, written := range w.written { // so that no edit changes them
		clear(w.tags[written.From:written.To])
	}
}

// isSingularAfterArticle reports whether a noun that is tagged as a plural follows "a": "a white
// sheep".
func isSingularAfterArticle(lower []string, i int, lemma string) bool {
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

// hasTag reports whether the token at i has one of the tags. It is false for an index out of range.
func (w *captionWords) hasTag(i int, one tags) bool {
	return uint(i) < uint(len(w.tags)) && w.tags[i]&one != 0
}

// nounAt returns the noun that tokens first to last name.
func (w *captionWords) nounAt(first, last int) *words.Noun {
	n := &w.named[first]
	if n.noun == nil || n.last != last {
		*n = namedRun{last, w.findNoun(w.keyOf(first, last), w.tokens[last].End)}
	}
	return n.noun
}

// findNoun returns the noun named key that ends at byte end: that of an object of the graph if one ends there, else the
// one of the cache of words.
func (w *captionWords) findNoun(key string, end int32) *words.Noun {
	for i := range w.objects {
		if w.objects[i].End == end && w.known[i].Noun.Key == key {
			return w.known[i].Noun
		}
	}
	return w.words.Noun(key)
}

// textOf returns the text of tokens first to last.
func (w *captionWords) textOf(first, last int) string {
	return w.text[w.tokens[first].Begin:w.tokens[last].End]
}

func (w *captionWords) isTitle() bool { return grammar.Titled(w.text, w.tokens) }

// countsAt reports whether the number at i counts things in the picture. It does not in a name ("iPhone 3 cases") or a
// ranking ("10 of the best cars").
func (w *captionWords) countsAt(i int) bool {
	return !w.hasTag(i-1, nouns|proper|tagCD) && !isRanking(w.tokens)
}

// isRanking reports whether a caption has a superlative or "top": "10 of the best cars". A picture shows only some of
// them.
func isRanking(tokens []schemas.Token) bool {
	return slices.ContainsFunc(tokens, func(t schemas.Token) bool {
		return t.Tag == "JJS" || t.Tag == "RBS" || strings.EqualFold(t.Lemma, "top") && t.Tag == "JJ"
	})
}

// objectFollows reports whether a noun phrase begins right after token i. None does in "looking happy" or "attempting
// to ski".
func (w *captionWords) objectFollows(i int) bool {
	return w.hasTag(i+1, tagDT|tagPRPS|nouns|tagNNP) || w.hasTag(i+1, tagJJ|tagCD) && w.headAfter(i+1) >= 0
}

// isOneOfList reports whether the noun at tokens first to last is joined to another by "other": "fries" and "dishes" in
// "fries and a few other dishes".
func (w *captionWords) isOneOfList(first, last int) bool {
	if grammar.WordBefore(w.lower, first) == "other" {
		return true
	}
	if !w.hasTag(last+1, tagCC) {
		return false
	}
	for i := last + 2; w.hasTag(i, tagDT|tagJJ|tagCD); i++ {
		if w.lower[i] == "other" {
			return true
		}
	}
	return false
}

// isAttributive reports whether the word at i is a participle before its noun: "a bucking horse", "a tree lined
// street".
func (w *captionWords) isAttributive(i int) bool {
	return w.hasTag(i, tagVBN) && w.hasTag(i+1, nouns|tagJJ) ||
		w.hasTag(i, tagVBG|tagVBN) && w.hasTag(i-1, tagDT|tagJJ|tagPRPS|tagCD) && w.hasTag(i+1, nouns|tagJJ)
}

// isVerbal reports whether the word at i is used as a verb. It is false for a participle that is a noun ("covered with
// writing") or an adjective ("looking bored").
func (w *captionWords) isVerbal(i int) bool {
	switch {
	case w.hasTag(i, tagVBG):
		return !w.hasTag(i-1, tagIN) || !wordclass.Has(" of with ", w.lower[i-1]) || w.objectFollows(i)
	case w.hasTag(i, tagVBN):
		before := i - 1
		for w.hasTag(before, tagRB|tagRP) {
			before--
		}
		return !w.hasTag(before, verbs) || !grammar.IsAction(&w.tokens[before]) || w.tokens[before].Lemma == "get"
	}
	return true
}

// hasNear reports whether word is at most two tokens before or after the token at i.
func (w *captionWords) hasNear(i int, word string) bool {
	for j := max(0, i-2); j <= min(i+2, len(w.lower)-1); j++ {
		if j != i && w.lower[j] == word {
			return true
		}
	}
	return false
}

// runEnd returns the last of the noun tokens from i on: "racket" in "tennis racket".
func (w *captionWords) runEnd(i int) int {
	for w.hasTag(i+1, nouns|tagNNP|tagNNPS) {
		i++
	}
	return i
}

// isInName reports whether a token belongs to an object's name, but is not its last word.
func (w *captionWords) isInName(i int) bool {
	t := &w.tokens[i]
	return slices.ContainsFunc(w.objects, func(o schemas.Object) bool { return o.Begin <= t.Begin && t.End < o.End })
}

// nameBegin returns the first token of the object's name that ends at token last, or first if no name does. A name may
// begin with an adjective: "hot dog".
func (w *captionWords) nameBegin(first, last int) int {
	for _, o := range w.objects {
		if o.End == w.tokens[last].End {
			for first > 0 && w.tokens[first-1].Begin >= o.Begin && o.Begin >= 0 {
				first--
			}
		}
	}
	return first
}

// headAfter returns the last token of the noun that the modifier at i belongs to, or −1.
func (w *captionWords) headAfter(i int) int {
	for j := i + 1; j < len(w.tokens); j++ {
		switch {
		case w.hasTag(j, nouns):
			return w.runEnd(j)
		case !w.hasTag(j, tagJJ|tagCC|tagComma|tagVBN|tagVBG|tagCD|tagRB):
			return -1
		}
	}
	return -1
}

// keyOf returns the singular of the noun at tokens first to last: "tennis racket" for "tennis rackets".
func (w *captionWords) keyOf(first, last int) string {
	lemma := w.tokens[last].Lemma
	if first == last {
		return lemma
	}
	return strings.ToLower(w.text[w.tokens[first].Begin:w.tokens[last].Begin]) + lemma
}
