package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// fault is why a sentence is no positive.
type fault string

const (
	noFault          fault = ""
	faultCutOff      fault = "cut off"
	faultUnseen      fault = "not seen: " // and the word
	faultShort       fault = "short"
	faultNoVerb      fault = "no verb"
	faultShowsLittle fault = "shows little"
	faultNeedsMore   fault = "needs another" // that a pronoun or "the other" is about
)

const finiteTags = "VBZ VBP VBD MD"

// sentenceReader decides which sentences of a caption can be read alone.
type sentenceReader struct {
	c       *Caption
	lower   []string
	visible map[string]bool // heads of the things of the graph that the picture shows
	looks   map[string]bool // their attributes
}

// newSentenceReader returns a reader of a caption with its tokens in lower case.
func newSentenceReader(c *Caption, lower []string) sentenceReader {
	s := sentenceReader{c: c, lower: lower, visible: map[string]bool{}, looks: map[string]bool{}}
	for i := range c.Graph.Objects {
		if o := &c.Graph.Objects[i]; o.Status == "" {
			s.visible[headOf(o.Name)] = true
			for _, a := range o.Attributes {
				s.looks[a.Text] = true
			}
		}
	}
	return s
}

var (
	judgements     = wordclass.Words("judgements")
	unseenWords    = wordclass.Words("unseen words")
	unseenClauses  = wordclass.Words("unseen clauses")
	pictureNouns   = wordclass.Words("picture nouns")
	pictureNames   = wordclass.Words("picture names")
	picturePlaces  = wordclass.Words("picture places")
	needsAnother   = wordclass.Words("needs another")
	sentenceStarts = wordclass.Words("sentence starts")
)

// isVisible reports whether the token at i is a noun that names a thing which the picture shows.
func (s *sentenceReader) isVisible(i int) bool {
	t := &s.c.Tokens[i]
	return strings.HasPrefix(t.Tag, "N") && (s.visible[t.Lemma] || s.visible[s.lower[i]])
}

// trimSentence leaves out an adverb that joins a sentence to the one before, and what nobody sees at its end. It
// reports whether what is left says something that can be seen.
func (s *sentenceReader) trimSentence(x *statedSentence) fault {
	framed := s.trimStart(x)
	verbs, end := finiteTags+" VBN VBG VB", x.last
	if unseen := s.cutUnseen(x); unseen != noFault {
		return unseen
	}
	if s.trimEnd(x, end); x.last < end-1 {
		verbs = finiteTags // a whole sentence has one of these, whatever its tags are
	}
	switch {
	case x.last-x.first+1 < minSentenceTokens:
		return faultShort
	case s.isOpen(x):
		return faultCutOff
	case s.judges(x):
		return faultShowsLittle
	case framed && !s.beginsWithThing(x):
		return faultShowsLittle
	case !framed && !s.hasVerb(x, verbs) && !s.endsInVerb(x) && !s.giveVerb(x):
		return faultNoVerb
	case !s.showsSomething(x):
		return faultShowsLittle
	}
	return noFault
}

// cutUnseen cuts a sentence before what nobody sees, which is the fault if nothing is left.
func (s *sentenceReader) cutUnseen(x *statedSentence) fault {
	for i := x.first; i <= x.last; i++ {
		if !s.isUnseen(i) {
			continue
		}
		lemma := s.c.Tokens[i].Lemma
		if next := s.afterLeadIn(x, i); next > i {
			x.first, i = next, next-1
			continue
		}
		if next := s.leaveOutParenthesis(x, i); next > i {
			i = next - 1
			continue
		}
		if x.last = s.cutBefore(x.first, i); x.last < x.first {
			return faultUnseen + fault(lemma)
		}
		break
	}
	return noFault
}

// maxLabel is how many tokens a label at the beginning of a sentence has at most: "- Man on the left: he wears a hat".
const maxLabel = 5

// trimStart leaves out an adverb that joins a sentence to the one before, the mark of a list, a label, and talk of the
// picture; it reports whether the verb was in that: "The image shows".
func (s *sentenceReader) trimStart(x *statedSentence) (framed bool) {
	listed := false
	for x.first < x.last && wordclass.Has(" - – — * • ", s.lower[x.first]) {
		x.first++
		listed = true
	}
	if i := slices.Index(s.lower[x.first:min(x.first+maxLabel, x.last)], ":"); i > 0 && listed {
		x.first += i + 1
	}
	if x.first+1 < x.last && s.lower[x.first+1] == "," && wordclass.Has(sentenceStarts, s.lower[x.first]) {
		x.first += 2
	}
	x.first, framed = s.afterFrame(x.first, x.last)
	return framed
}

// isUnseen reports whether the token at i begins what nobody sees.
func (s *sentenceReader) isUnseen(i int) bool {
	t := &s.c.Tokens[i]
	return wordclass.Has(unseenWords, t.Lemma) || s.lower[i] == "if" ||
		wordclass.Has(unseenClauses, t.Lemma) && !strings.HasPrefix(t.Tag, "N") && !(t.Tag == "VBN" && i+1 < len(s.lower) && strings.HasPrefix(s.c.Tokens[i+1].Tag, "N"))
}

// afterLeadIn is the token after the clause or phrase before the comma that a sentence begins with, if that has the
// token at i: "Adding to the calm, *a bird* flies above"; else -1.
func (s *sentenceReader) afterLeadIn(x *statedSentence, i int) int {
	if tag := s.c.Tokens[x.first].Tag; tag != "IN" && tag != "VBG" {
		return -1
	}
	for j := x.first; j <= x.last; j++ {
		if s.c.Tokens[j].Tag == "," {
			if j > i && j < x.last && wordclass.Has(" DT CD NN NNS PRP$ JJ EX ", s.c.Tokens[j+1].Tag) {
				return j + 1
			}
			return -1
		}
	}
	return -1
}

// cutBefore is the last token before the clause with the token at i: a clause begins after a comma,
// with a relative pronoun, or with the participle itself.
func (s *sentenceReader) cutBefore(first, i int) int {
	if last := s.beforeVerb(first, i); last > first {
		return last
	}
	for j := i; j > first; j-- {
		switch t := &s.c.Tokens[j]; {
		case t.Tag == "," && s.isBetweenAdjectives(j, i):
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

// beforeVerb is the token before the verb at i that nobody sees, if a new thing in a place is its subject, "In the
// background, a red shack adds colour", or the posture before the phrase of token i, "a bin stands at attention"; else -1.
func (s *sentenceReader) beforeVerb(first, i int) int {
	j := i - 1
	if strings.HasPrefix(s.c.Tokens[i].Tag, "N") {
		for j > first && (isAdjective(s.c.Tokens[j].Tag) || s.c.Tokens[j].Tag == "DT") {
			j--
		}
		if j--; j > first && s.c.Tokens[j+1].Tag == "IN" && wordclass.Has(finiteTags, s.c.Tokens[j].Tag) && wordclass.Has(grammar.Postures, s.c.Tokens[j].Lemma) {
			return j
		}
		return -1
	}
	comma := first + slices.Index(s.lower[first:i], ",")
	if comma < first || s.c.Tokens[first].Tag != "IN" || !wordclass.Has(finiteTags, s.c.Tokens[i].Tag) || !s.isNew(comma+1) || !s.isNounPhrase(comma+1, j) {
		return -1
	}
	return j
}

// isBetweenAdjectives reports whether the comma at j is in the noun phrase of the token at i: "a calm, muted atmosphere".
func (s *sentenceReader) isBetweenAdjectives(j, i int) bool {
	if j < 2 || !isAdjective(s.c.Tokens[j-1].Tag) && s.c.Tokens[j-2].Tag != "DT" || j+1 == i { // a tagger has "a calm" for a noun
		return false
	}
	return !slices.ContainsFunc(s.c.Tokens[j+1:i], func(t schemas.Token) bool {
		return !isAdjective(t.Tag) && !strings.HasPrefix(t.Tag, "N") && t.Tag != "RB"
	})
}

func isAdjective(tag string) bool { return wordclass.Has(" JJ JJR JJS VBG VBN ", tag) }

// isOpen reports whether a sentence opens a quotation or a parenthesis that it does not close: it was cut at an
// abbreviation, "ships bear the names 'Str."
func (s *sentenceReader) isOpen(x *statedSentence) bool {
	text := s.c.Text[s.c.Tokens[x.first].Begin:s.c.Tokens[x.last].End]
	if strings.Count(text, `"`)%2 != 0 || strings.Count(text, "(") != strings.Count(text, ")") || strings.Count(text, "“") != strings.Count(text, "”") {
		return true
	}
	single := 0
	for i := range len(text) {
		if text[i] != '\'' {
			continue
		}
		begins, ends := i == 0 || text[i-1] == ' ', i+1 == len(text) || wordclass.Has(" . , ; : ! ? ) ", text[i+1:i+2]) || text[i+1] == ' '
		switch {
		case begins && !ends:
			single++
		case ends && !begins && single > 0:
			single--
		case ends && !begins && text[i-1] != 's' && !(text[i-1] >= '0' && text[i-1] <= '9'): // "Augustine' can be read"
			return true
		}
	}
	return single > 0
}

// judges reports whether a sentence says no more than what somebody thinks: "The play of light is particularly
// striking."
func (s *sentenceReader) judges(x *statedSentence) bool {
	last := x.last
	for last > x.first && s.c.Tokens[last].Tag == "." {
		last--
	}
	if !wordclass.Has(judgements, s.lower[last]) {
		return false
	}
	for last--; last > x.first && s.c.Tokens[last].Tag == "RB"; last-- {
	}
	return wordclass.Has(" is are was were ", s.lower[last]) && !s.hasVerb(&statedSentence{first: x.first, last: last - 1}, finiteTags+" VBN VBG")
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

// showsSomething reports whether a sentence says something of a thing of the graph: an attribute, a relation, another
// thing, a posture, or where in the picture it is. The graph has the places of a thing and of an attribute where they were
// named first, so that words that name them again count too.
func (s *sentenceReader) showsSomething(x *statedSentence) bool {
	begin, end := s.c.Tokens[x.first].Begin, s.c.Tokens[x.last].End
	within := func(from, to int32) bool { return from >= begin && to <= end }
	noun := slices.IndexFunc(s.c.Tokens[x.first:x.last], func(t schemas.Token) bool { return strings.HasPrefix(t.Tag, "N") })
	ofPicture := noun >= 0 && wordclass.Has(pictureNames, s.c.Tokens[x.first+noun].Lemma) // "The image captures a calm field"
	for i := range s.c.Graph.Objects {
		o := &s.c.Graph.Objects[i]
		if o.Status == "" && !ofPicture && slices.ContainsFunc(o.Attributes, func(a schemas.Attribute) bool { return within(a.Begin, a.End) }) {
			return true
		}
	}
	if slices.ContainsFunc(s.c.Graph.Relations, func(r schemas.Relation) bool { return r.Status == "" && within(r.Begin, r.End) }) {
		return true
	}
	named, said := 0, 0
	for i := x.first; i <= x.last; i++ {
		t := &s.c.Tokens[i]
		switch {
		case s.isVisible(i):
			named++
		case isAdjective(t.Tag) && s.looks[s.lower[i]] && !ofPicture && !wordclass.Has(judgements, s.lower[i]),
			strings.HasPrefix(t.Tag, "N") && wordclass.Has(picturePlaces, t.Lemma) && !ofPicture, strings.HasPrefix(t.Tag, "V") && (wordclass.Has(grammar.Postures, t.Lemma) || wordclass.Has(livelyVerbs, t.Lemma)):
			said = 1
		}
	}
	return named > 0 && named+said > 1
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
		case wordclass.Has(" i me my our us we you your ", s.lower[i]), named && strings.HasSuffix(s.lower[i], "self"):
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

// listContinuations returns the words with which the next sentence may be about a sentence: "both", "the other" need several
// things in it.
func (s *sentenceReader) listContinuations(before *statedSentence) string {
	for i := before.first; i <= before.last; i++ {
		if s.c.Tokens[i].Tag == "CD" || wordclass.Has(" couple group pair several ", s.lower[i]) {
			return continues + "both either former latter one ones other others remaining rest second third "
		}
	}
	return continues
}

// needsMore reports whether a sentence is about what no pronoun names, but for some words: "another man", "these
// men", not "one red and the other black", "on both sides", "in this image".
func (s *sentenceReader) needsMore(x *statedSentence, but string) bool {
	one := false
	for i := x.first; i <= x.last; i++ {
		switch w := s.lower[i]; {
		case w == "one" && (slices.Contains(s.lower[i:x.last+1], "other") || slices.Contains(s.lower[i:x.last+1], "another")):
			one = true
		case (w == "other" || w == "another") && one:
		case wordclass.Has(" both either one ", w) && i < x.last && strings.HasPrefix(s.c.Tokens[i+1].Tag, "N"): // "both hands"
		case w == "rest" && strings.HasPrefix(s.c.Tokens[i].Tag, "V"): // "his hands rest on a table"
		case wordclass.Has(needsAnother, w) && !wordclass.Has(but, w), s.c.Tokens[i].Tag == "DT" && wordclass.Has(" this these that those ", w) && !s.isPictureNext(i+1, x.last):
			return true
		}
	}
	return false
}

// isPictureNext reports whether the noun from token i on, after its adjectives, is the picture or a part of it.
func (s *sentenceReader) isPictureNext(i, last int) bool {
	for i < last && isAdjective(s.c.Tokens[i].Tag) && !wordclass.Has(pictureNouns, s.c.Tokens[i].Lemma) {
		i++
	}
	return i <= last && wordclass.Has(pictureNouns, s.c.Tokens[i].Lemma)
}

// headOf returns the head of a name: "cup" of "coffee cup", "body" of "body of water".
func headOf(name string) string {
	name, _, _ = strings.Cut(name, " of ")
	return name[strings.LastIndexByte(name, ' ')+1:]
}
