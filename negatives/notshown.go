package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// A caption may name things that are not in the picture: one of two alternatives, or the purpose of a thing.

var (
	emptyNouns  = wordclass.Words("empty nouns")
	roomParts   = wordclass.Words("parts of rooms")
	beholders   = wordclass.Words("beholders")
	adjectives  = " JJ JJR JJS "
	determiners = " DT PRP$ PDT "
)

// tokensOf returns the first token of an object's attributes and name, and the last token of its name; −1 and −1 if the
// graph has no offset for it.
func tokensOf(c *Caption, o *schemas.Object) (first, last int) {
	begin := grammar.FirstOf(o)
	first, _ = slices.BinarySearchFunc(c.Tokens, begin, func(t schemas.Token, at int32) int { return int(t.Begin - at) })
	if begin < 0 || first == len(c.Tokens) {
		return -1, -1
	}
	for last = first; last+1 < len(c.Tokens) && c.Tokens[last+1].End <= o.End; last++ {
	}
	return first, last
}

// isAlternative reports whether an object is joined to another by "or": "a parachute or kite".
func isAlternative(c *Caption, o *schemas.Object) bool {
	first, last := tokensOf(c, o)
	if first < 0 {
		return false
	}
	word := func(i int) string { return strings.ToLower(c.Text[c.Tokens[i].Begin:c.Tokens[i].End]) }
	modifies := func(i int) bool { return wordclass.Has(adjectives+determiners, c.Tokens[i].Tag) }
	for first > 0 && modifies(first-1) {
		first--
	}
	if first > 1 && word(first-1) == "or" && strings.HasPrefix(c.Tokens[first-2].Tag, "NN") {
		return true
	}
	next := last + 2
	for next < len(c.Tokens) && modifies(next) {
		next++
	}
	return next < len(c.Tokens) && word(last+1) == "or" && strings.HasPrefix(c.Tokens[next].Tag, "NN")
}

// isPurpose reports whether an object is part of a purpose: after an infinitive that follows a noun, in a caption
// without a finite verb: "a bedroom to relax in after a hike in the forest".
func isPurpose(c *Caption, o *schemas.Object) bool {
	i, _ := tokensOf(c, o)
	verb := false // between "to" and the object
	for i--; i > 0; i-- {
		switch t := &c.Tokens[i]; {
		case t.Tag == "." || t.Tag == "," || t.Tag == ":" || wordclass.Has(finiteTags+" VBG WDT WP ", t.Tag):
			return false
		case t.Tag == "VB":
			verb = true
		case t.Tag == "TO" && verb:
			return strings.HasPrefix(c.Tokens[i-1].Tag, "NN") && !slices.ContainsFunc(c.Tokens[:i], func(t schemas.Token) bool {
				return wordclass.Has(finiteTags+" VBG VBN . ", t.Tag)
			})
		}
	}
	return false
}

// cutsParticiple reports whether mask has some but not all of the attributes that form one compound: "a faux belt" from
// "a faux pearl embellished belt".
func cutsParticiple(c *Caption, o *schemas.Object, mask uint64) bool {
	first, _ := tokensOf(c, o)
	for i := max(first, 1); first >= 0 && i+1 < len(c.Tokens); i++ {
		noun, participle := &c.Tokens[i], &c.Tokens[i+1]
		if participle.End > o.Begin {
			break
		}
		if !wordclass.Has(" JJ VBD VBN ", participle.Tag) || !strings.HasSuffix(c.Text[:participle.End], "ed") || noun.Tag != "NN" {
			continue
		}
		begin := noun.Begin
		if before := &c.Tokens[i-1]; wordclass.Has(adjectives, before.Tag) {
			begin = before.Begin
		}
		said, all := 0, 0
		for k := range min(len(o.Attributes), 64) {
			if a := &o.Attributes[k]; a.Begin >= begin && a.End <= participle.End {
				all++
				said += int(mask >> k & 1)
			}
		}
		if said > 0 && said < all {
			return true
		}
	}
	return false
}

// isFur reports whether an object is the coat of an animal, not a garment: "the dog's black coat". kinds has a bit for
// each kind of noun in the image.
func isFur(c *Caption, o *schemas.Object, n *words.Noun, kinds uint32) bool {
	if n.Head != "coat" {
		return false
	}
	animals := kinds>>truth.Animals&1 != 0
	switch grammar.Determiner(c, o) {
	case "its", "'s", "'":
		return animals
	case "their", "his", "her":
		return animals && kinds>>truth.People&1 == 0
	}
	return false
}

// isBeholder reports whether an object is outside the picture, such as "the camera" that somebody poses for.
func isBeholder(c *Caption, o *schemas.Object, noun string) bool {
	return wordclass.Has(beholders, noun) && grammar.Determiner(c, o) == "the"
}

// isBareIdea reports whether a phrase is just an abstract noun without an article: "map update service", "invention".
func isBareIdea(p *say.Phrase) bool {
	n := &p.Subject
	return p.Relation == nil && n.N == 0 && n.Article == say.NoArticle && n.Quantity == "" && n.Written == "" && !n.Plural && !n.Named &&
		!n.Noun.Mass && n.Noun.Kind == 0 && n.Noun.Concrete <= leastBare
}

// leastBare is the greatest concreteness at which a noun without an article counts as abstract.
const leastBare = 50

// isRoomWithPart reports whether a relation states a part that every room has: "a kitchen with floors".
func isRoomWithPart(subject *knownObject, relation, part string) bool {
	return subject.Noun.Kind == truth.Interiors && wordclass.Has(" with have having has featuring ", relation) && wordclass.Has(roomParts, part)
}
