package negatives

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// A sentence of a longer caption is a positive of its own if it can be read alone, and so are two in a
// row if the second needs the first: "A dog lies on a rug. It has a red collar." What nobody sees is cut
// off at the end: "…, adding a touch of warmth to the scene".

// statedSentence is a positive that is a stretch of its caption.
type statedSentence struct {
	of          int16
	first, last int // tokens
	sentence    int16
}

// minSentenceTokens is how many tokens a sentence has at least.
const minSentenceTokens = 5

// stateSentences appends the sentences of a caption that are positives to its pool and dst, and their ids to known.
func (d *decomposer) stateSentences(c *Caption, caption int, dst []statedSentence, pool *schemas.Pool, known *idSet) []statedSentence {
	if !d.natural || !hasSentences(c) {
		return dst
	}
	d.subgraphs = scenegraph.Decompose(&c.Graph, d.subgraphs[:0])
	d.lower = d.lower[:0]
	for i := range c.Tokens {
		t := &c.Tokens[i]
		d.lower = append(d.lower, strings.ToLower(c.Text[t.Begin:t.End]))
	}
	s := sentenceReader{c, d.lower}
	before := statedSentence{first: -1}
	for first, n := 0, int16(0); first < len(c.Tokens); n++ {
		last := first
		for last < len(c.Tokens)-1 && c.Tokens[last].Tag != "." {
			last++
		}
		next := last + 1
		for next < len(c.Tokens) && c.Tokens[next].Tag == "." {
			next++
		}
		now := statedSentence{first: first, last: last, sentence: n}
		whole := c.Tokens[last].Tag == "." // a last sentence without an end was cut off
		readable := whole && s.trimSentence(&now)
		switch {
		case readable && s.standsAlone(&now):
			dst = d.stateSentence(c, caption, now, dst, pool, known)
		case readable && before.first >= 0 && !s.needsMore(&now, continues): // a pronoun needs it
			now.first = before.first
			dst = d.stateSentence(c, caption, now, dst, pool, known)
			readable = false
		default:
			readable = false
		}
		if before = now; !readable || now.last+2 < next { // the second of two, or one that was cut
			before.first = -1
		}
		first = next
	}
	return dst
}

// stateSentence appends a sentence as a positive, unless the caption has such a text.
func (d *decomposer) stateSentence(c *Caption, caption int, s statedSentence, dst []statedSentence, pool *schemas.Pool, known *idSet) []statedSentence {
	d.text = appendSentence(d.text[:0], c.Text[c.Tokens[s.first].Begin:c.Tokens[s.last].End])
	d.normal = scenegraph.AppendNormalized(d.normal[:0], viewString(d.text))
	id := scenegraph.NormalizedID(d.normal)
	if slices.ContainsFunc(pool.Positives, func(p schemas.Positive) bool { return p.ID == id }) {
		return dst
	}
	known.add(id)
	text := schemas.Positive{Text: pool.Keep(d.text), Kind: schemas.KindSentence, ID: id, Confidence: sentenceConfidence}
	d.stateParts(c, caption, &text, pool, func(part scenegraph.SubGraph) bool {
		first, last := boundsOf(c, part)
		return c.Tokens[s.first].Begin <= first && last < c.Tokens[s.last].End
	})
	s.of = int16(len(pool.Positives))
	pool.Positives = append(pool.Positives, text)
	return append(dst, s)
}

// sentenceConfidence is the share of sentences that a reader called good (docs/measurements/positives.md).
const sentenceConfidence = 0.95

// appendSentence appends a stretch of a caption as a sentence: with a capital and a full stop.
func appendSentence(dst []byte, text string) []byte {
	r, n := utf8.DecodeRuneInString(text)
	dst = utf8.AppendRune(dst, unicode.ToUpper(r))
	dst = append(dst, text[n:]...)
	if last := dst[len(dst)-1]; last != '.' && last != '!' && last != '?' {
		dst = append(dst, '.')
	}
	return dst
}

const finiteTags = "VBZ VBP VBD MD"

// sentenceReader decides which sentences of a caption can be read alone.
type sentenceReader struct {
	c     *Caption
	lower []string
}

var (
	unseenWords    = wordclass.Words("unseen words")
	unseenClauses  = wordclass.Words("unseen clauses")
	pictureNouns   = wordclass.Words("picture nouns")
	needsAnother   = wordclass.Words("needs another")
	sentenceStarts = wordclass.Words("sentence starts")
)

// trimSentence leaves out an adverb that joins a sentence to the one before, and what nobody sees at its end. It
// reports whether what is left says something that can be seen.
func (s *sentenceReader) trimSentence(x *statedSentence) bool {
	if x.first+1 < x.last && s.lower[x.first+1] == "," && wordclass.Has(sentenceStarts, s.lower[x.first]) {
		x.first += 2
	}
	verbs, end := finiteTags+" VBN VBG VB", x.last
	for i := x.first; i <= x.last; i++ {
		lemma := s.c.Tokens[i].Lemma
		if !wordclass.Has(unseenWords, lemma) && !wordclass.Has(unseenClauses, lemma) && s.lower[i] != "if" {
			continue
		}
		if x.last = s.cutBefore(x.first, i); x.last < x.first {
			return false
		}
		break
	}
	for x.last > x.first && wordclass.Has(" , ; : and or but - – — ", s.lower[x.last]) {
		x.last--
	}
	if x.last < end-1 {
		verbs = finiteTags // a whole sentence has one of these, whatever its tags are
	}
	return x.last-x.first+1 >= minSentenceTokens && s.hasVerb(x, verbs) && s.showsSomething(x)
}

// cutBefore is the last token before the clause with the token at i: a clause begins after a comma,
// with a relative pronoun, or with the participle itself.
func (s *sentenceReader) cutBefore(first, i int) int {
	for j := i; j > first; j-- {
		switch t := &s.c.Tokens[j]; {
		case t.Tag == "," || t.Tag == ":" || t.Tag == "WDT" || t.Tag == "WP":
			return j - 1
		case j == i && t.Tag == "VBG":
			return s.cutAbsolute(first, j) - 1
		case t.Tag == "CC" && j+1 < len(s.lower) && strings.HasPrefix(s.c.Tokens[j+1].Tag, "V"):
			return j - 1
		}
	}
	return first - 1
}

// cutAbsolute is where a clause with the participle at i begins: at the comma before a noun phrase that is its
// subject, "a bowl on a countertop, its colour adding warmth", else at the participle.
func (s *sentenceReader) cutAbsolute(first, i int) int {
	for j := i - 1; j > first; j-- {
		switch t := &s.c.Tokens[j]; {
		case t.Tag == ",":
			return j
		case strings.HasPrefix(t.Tag, "V"), t.Tag == "MD":
			return i
		}
	}
	return i
}

// hasVerb reports whether a sentence has a verb with one of the tags.
func (s *sentenceReader) hasVerb(x *statedSentence, tags string) bool {
	return slices.ContainsFunc(s.c.Tokens[x.first:x.last+1], func(t schemas.Token) bool { return wordclass.Has(tags, t.Tag) })
}

// showsSomething reports whether a sentence has two things of the graph, or one of which it says more.
func (s *sentenceReader) showsSomething(x *statedSentence) bool {
	begin, end, n := s.c.Tokens[x.first].Begin, s.c.Tokens[x.last].End, 0
	for i := range s.c.Graph.Objects {
		o := &s.c.Graph.Objects[i]
		if o.Begin < begin || o.End > end || o.Status != "" {
			continue
		}
		n++
		for k := range o.Attributes {
			if a := &o.Attributes[k]; a.Begin >= begin && a.End <= end {
				n++
				break
			}
		}
	}
	return n > 1
}

// standsAlone reports whether a sentence names all that it is about. What follows a preposition is not the
// subject of its own clause: "trees stand behind it" is about something else.
func (s *sentenceReader) standsAlone(x *statedSentence) bool {
	named, before, finite := false, false, false // a thing in the clause, in a clause before it; a finite verb
	one := false                                 // thing in the singular, which "its" needs
	for i := x.first; i <= x.last; i++ {
		t := &s.c.Tokens[i]
		switch {
		case strings.HasPrefix(t.Tag, "N") && !wordclass.Has(pictureNouns, t.Lemma):
			named, one = true, one || t.Tag != "NNS" && t.Tag != "NNPS"
		case t.Tag == "," && named:
			before = true
		case t.Tag == "PRP" && i > x.first && (s.c.Tokens[i-1].Tag == "IN" || s.c.Tokens[i-1].Tag == "TO"):
			if !before {
				return false
			}
		case strings.HasPrefix(t.Tag, "PRP") && (!named || !one && strings.HasPrefix(s.lower[i], "it")), t.Tag == "PRP" && !finite: // "Dressed in a coat, he walks"
			return false
		case wordclass.Has(finiteTags, t.Tag):
			finite = true
		}
	}
	return named && !s.needsMore(x, "")
}

// continues are words of a sentence that is about the one before it.
const continues = " another also too "

// needsMore reports whether a sentence is about what no pronoun names, but for some words: "another man", "these
// men", not "one red and the other black".
func (s *sentenceReader) needsMore(x *statedSentence, but string) bool {
	one := false
	for i := x.first; i <= x.last; i++ {
		switch w := s.lower[i]; {
		case w == "one" && slices.Contains(s.lower[i:x.last+1], "other"):
			one = true
		case w == "other" && one:
		case wordclass.Has(needsAnother, w) && !wordclass.Has(but, w), s.c.Tokens[i].Tag == "DT" && wordclass.Has(" this these that those ", w):
			return true
		}
	}
	return false
}

// textOf returns a negative of a sentence from that of its caption, which is full.
func (x *statedSentence) textOf(dst []byte, full, caption string, tokens []schemas.Token) []byte {
	after := len(caption) - int(tokens[x.last].End)
	return appendSentence(dst, full[tokens[x.first].Begin:len(full)-after])
}
