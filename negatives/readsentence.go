package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// fault is the reason why a sentence is no positive.
type fault string

const (
	noFault          fault = ""
	faultCutOff      fault = "cut off"
	faultUnseen      fault = "not seen: " // and the word
	faultShort       fault = "short"
	faultNoVerb      fault = "no verb"
	faultShowsLittle fault = "shows little"
	faultNeedsMore   fault = "needs another" // for a pronoun or "the other"
)

const finiteTags = "VBZ VBP VBD MD"

// sentenceReader decides which sentences of a caption can be read without the others.
type sentenceReader struct {
	c       *Caption
	lower   []string
	visible map[string]bool // heads of the objects in the graph that are in the picture
	looks   map[string]bool // texts of their attributes
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

// isVisible reports whether the token at i is a noun that names a visible object of the graph.
func (s *sentenceReader) isVisible(i int) bool {
	t := &s.c.Tokens[i]
	return strings.HasPrefix(t.Tag, "N") && (s.visible[t.Lemma] || s.visible[s.lower[i]])
}

// trimSentence removes a linking adverb from the beginning of a sentence, and invisible things from its end. It returns
// a fault unless the rest states something visible.
func (s *sentenceReader) trimSentence(x *statedSentence) fault {
	framed := s.trimStart(x)
	verbs, end := finiteTags+" VBN VBG VB", x.last
	if unseen := s.cutUnseen(x); unseen != noFault {
		return unseen
	}
	if s.trimEnd(x, end); x.last < end-1 {
		verbs = finiteTags // a sentence that was not cut has one, even if the tagger missed it
	}
	switch {
	case x.last-x.first+1 < minSentenceTokens:
		return faultShort
	case s.hasOpenQuote(x):
		return faultCutOff
	case s.isOpinion(x):
		return faultShowsLittle
	case framed && !s.beginsWithThing(x):
		return faultShowsLittle
	case !framed && !s.hasVerb(x, verbs) && !s.endsInVerb(x) && !s.addVerb(x):
		return faultNoVerb
	case !s.showsSomething(x):
		return faultShowsLittle
	}
	return noFault
}

// cutUnseen cuts a sentence before the first invisible thing. It returns a fault if nothing is left.
func (s *sentenceReader) cutUnseen(x *statedSentence) fault {
	for i := x.first; i <= x.last; i++ {
		if !s.isUnseen(i) {
			continue
		}
		lemma := s.c.Tokens[i].Lemma
		if next := s.tokenAfterLeadIn(x, i); next > i {
			x.first, i = next, next-1
			continue
		}
		if next := s.leaveOutParenthesis(x, i); next > i {
			i = next - 1
			continue
		}
		if x.last = s.tokenBeforeClause(x.first, i); x.last < x.first {
			return faultUnseen + fault(lemma)
		}
		break
	}
	return noFault
}

// maxLabel is the most tokens of a label at the beginning of a sentence: "- Man on the left: he wears a hat".
const maxLabel = 5

// trimStart removes a linking adverb, the mark of a list, a label and a frame ("The image shows") from the beginning of
// a sentence. framed reports whether the frame had the sentence's verb.
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
	x.first, framed = s.tokenAfterFrame(x.first, x.last)
	return framed
}

// isUnseen reports whether the token at i begins something that is not visible, such as a purpose or a feeling.
func (s *sentenceReader) isUnseen(i int) bool {
	t := &s.c.Tokens[i]
	return wordclass.Has(unseenWords, t.Lemma) || s.lower[i] == "if" ||
		wordclass.Has(unseenClauses, t.Lemma) && !strings.HasPrefix(t.Tag, "N") && !(t.Tag == "VBN" && i+1 < len(s.lower) && strings.HasPrefix(s.c.Tokens[i+1].Tag, "N"))
}

// tokenAfterLeadIn returns the token after the comma that ends the introductory phrase of a sentence, if token i is in
// that phrase: "Adding to the calm, *a bird* flies above". Else it returns −1.
func (s *sentenceReader) tokenAfterLeadIn(x *statedSentence, i int) int {
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

// tokenBeforeClause returns the last token before the clause with token i. A clause begins after a comma, with a
// relative pronoun, or with a participle.
func (s *sentenceReader) tokenBeforeClause(first, i int) int {
	if last := s.tokenBeforeVerb(first, i); last > first {
		return last
	}
	for j := i; j > first; j-- {
		switch t := &s.c.Tokens[j]; {
		case t.Tag == "," && s.isBetweenAdjectives(j, i):
		case t.Tag == "," || t.Tag == ":" || t.Tag == "WDT" || t.Tag == "WP":
			return j - 1
		case j == i && t.Tag == "VBG":
			return s.beginOfClause(first, j) - 1
		case t.Tag == "CC" && j+1 < len(s.lower) && strings.HasPrefix(s.c.Tokens[j+1].Tag, "V"):
			return j - 1
		}
	}
	return first - 1
}

// tokenBeforeVerb returns the last token before an invisible part that is a verb or its complement, or −1. That is the
// subject in "In the background, a red shack | adds colour", and the verb of posture in "a bin stands | at attention".
func (s *sentenceReader) tokenBeforeVerb(first, i int) int {
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
	if comma < first || s.c.Tokens[first].Tag != "IN" || !wordclass.Has(finiteTags, s.c.Tokens[i].Tag) || !s.introducesThing(comma+1) || !s.isNounPhrase(comma+1, j) {
		return -1
	}
	return j
}

// isBetweenAdjectives reports whether the comma at j is in the same noun phrase as the token at i: "a calm, muted
// atmosphere".
func (s *sentenceReader) isBetweenAdjectives(j, i int) bool {
	if j < 2 || !isAdjective(s.c.Tokens[j-1].Tag) && s.c.Tokens[j-2].Tag != "DT" || j+1 == i { // taggers take "a calm" for a noun
		return false
	}
	return !slices.ContainsFunc(s.c.Tokens[j+1:i], func(t schemas.Token) bool {
		return !isAdjective(t.Tag) && !strings.HasPrefix(t.Tag, "N") && t.Tag != "RB"
	})
}

func isAdjective(tag string) bool { return wordclass.Has(" JJ JJR JJS VBG VBN ", tag) }

// hasOpenQuote reports whether a sentence has a quotation or a parenthesis that is opened but not closed, since it was
// cut at an abbreviation: "ships bear the names 'Str."
func (s *sentenceReader) hasOpenQuote(x *statedSentence) bool {
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

// isOpinion reports whether a sentence states only an opinion: "The play of light is particularly striking."
func (s *sentenceReader) isOpinion(x *statedSentence) bool {
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

// beginOfClause returns the token at which the clause of the participle at i begins: the comma before the subject of
// the participle, "a bowl on a countertop, its colour adding warmth", or else the participle.
func (s *sentenceReader) beginOfClause(first, i int) int {
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

// hasVerb reports whether a sentence has a token with one of the tags.
func (s *sentenceReader) hasVerb(x *statedSentence, tags string) bool {
	return slices.ContainsFunc(s.c.Tokens[x.first:x.last+1], func(t schemas.Token) bool { return wordclass.Has(tags, t.Tag) })
}

// showsSomething reports whether a sentence gives a visible object of the graph an attribute, a relation, a posture, a
// place in the picture or a second object. The graph has offsets for the first mention of an object and an attribute
// only, so words that repeat them count too.
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

// standsAlone reports whether a sentence can be understood without the others: each pronoun has its noun in the
// sentence. A pronoun after a preposition needs a noun in an earlier clause: in "trees stand behind it", "it" is not
// the trees.
func (s *sentenceReader) standsAlone(x *statedSentence) bool {
	named, before, finite := false, false, false // a noun in this sentence; one before a comma; a finite verb
	one := false                                 // a noun in the singular, which "it" and "its" need
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

// continues are words with which a sentence refers to the one before.
const continues = " another also too "

// listContinuations returns the words with which the next sentence may refer to a sentence. "both" and "the other" are
// among them only if it has several things.
func (s *sentenceReader) listContinuations(before *statedSentence) string {
	for i := before.first; i <= before.last; i++ {
		if s.c.Tokens[i].Tag == "CD" || wordclass.Has(" couple group pair several ", s.lower[i]) {
			return continues + "both either former latter one ones other others remaining rest second third "
		}
	}
	return continues
}

// needsMore reports whether words other than pronouns refer to another sentence: "another man", "these men", but not
// "one red and the other black", "on both sides", "in this image". Words in but are allowed.
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
