package say

import (
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// reverseRelation swaps subject and object and replaces the relation by its reverse: "a man holding a cup"
// becomes "a cup held by a man". It returns false if there is none.
func (w *OtherWords) reverseRelation(p *Phrase) bool {
	to, ok := w.turned[p.Relation.Key]
	switch subject, object := p.Subject.Noun, p.Object.Noun; {
	case !ok, subject.Vague, object.Vague, p.Object.hasVerbAfter():
		return false
	case to == p.Relation.Key && object.Size() == truth.Vast && subject.Size() < truth.Vast: // "a sea near a dog"
		return false
	}
	p.Subject, p.Object, p.Relation = p.Object, p.Subject, w.words.CanonicalRelation(to)
	return true
}

// replacePreposition replaces the preposition of a relation, or "in" by "wearing" and the other way round: "next
// to" becomes "beside". It returns false if there is nothing to replace.
func (w *OtherWords) replacePreposition(p *Phrase) bool {
	r := p.Relation
	if p.Subject.Noun.Kind == truth.People && wordclass.Has(Paraphrases["garments"][0].Words, p.Object.Noun.Head) {
		switch r.Key {
		case "in", "dressed in":
			p.Relation = w.words.CanonicalRelation("wearing")
			return true
		case "wearing":
			p.Relation = w.words.CanonicalRelation("in")
			return true
		}
	}
	if to, ok := w.ends[r.Key]; ok {
		p.Relation = w.words.CanonicalRelation(to)
		return true
	}
	to, ok := w.ends[r.Prep]
	if ok {
		p.Relation = w.words.CanonicalRelation(strings.TrimSuffix(r.Key, r.Prep) + to)
	}
	return ok
}

// atTemplate names the place first, then what is there.
var atTemplate = template{at: true, Example: "a red bus with two men riding on it"}

// canBeginWithPlace reports whether a place can be named by what is there: "a table with a cat on it", but not
// "a phone with a man on it".
func canBeginWithPlace(p *Phrase) bool {
	r, o := p.Relation, p.Object.Noun
	if r.Verb != "" && !r.Gerund || o.Vague || o.Intangible || p.Object.hasVerbAfter() || wordclass.Has(grammar.Times, o.Head) || wordclass.Has(unplaced, o.Head) {
		return false
	}
	switch o.Kind {
	case truth.People, truth.Animals, truth.Body, truth.Clothing, truth.Weather, truth.Media:
		return false
	}
	at := false
	for _, row := range Paraphrases["at"] {
		at = at || row.Words == r.Prep
	}
	return at && (!p.Subject.Noun.Alive() || o.Size() > truth.Small)
}

// thatTemplate puts the attribute of the last object after the noun.
var thatTemplate = template{that: true, Example: "two men riding a bus that is red"}

// moveAttribute puts the only attribute of the last object after the noun, or before it if the template
// had it after the noun. It returns false if that is not possible.
func moveAttribute(p *Phrase) bool {
	n, to := &p.Subject, &thatTemplate
	if p.Relation != nil {
		if n = &p.Object; wordclass.Has(grammar.Times, n.Noun.Head) { // no "a dog on a day that is rainy"
			return false
		}
	} else if p.Template.that {
		to = &ObjectTemplates[0]
	}
	p.Template = to
	return n.N == 1 && !n.Attributes[0].Post && n.mayFollow()
}

// replaceBySynonyms replaces a noun and its attributes by synonyms. It reports whether it replaced any.
func (w *OtherWords) replaceBySynonyms(n *NounPhrase) bool {
	to, renamed := w.nouns[n.Noun.Key]
	if k := n.N - 1; k >= 0 && !n.Attributes[k].Post { // a parser may take "laptop" in "laptop computer" for an attribute
		if whole, ok := w.nouns[n.Attributes[k].Is.Text+" "+n.Noun.Key]; ok {
			n.N, to, renamed = k, whole, true
		}
	}
	if renamed {
		n.Noun = w.words.Noun(to)
	}
	for i := range n.N {
		if to, ok := w.attributes[n.Attributes[i].Is.Text]; ok {
			n.Attributes[i].Is, renamed = w.words.Property(to), true
		}
	}
	return renamed
}

// swapColours swaps two colours: "a white and black cat". It returns false if there are not two in
// a row.
func swapColours(n *NounPhrase) bool {
	first, colours := 0, 0
	for i := range n.N {
		if a := &n.Attributes[i]; a.Is.Colour {
			if colours == 0 {
				first = i
			}
			colours++
		}
	}
	if colours != 2 || wordclass.Has(words.Pictures, n.Noun.Head) { // no "white and black photo"
		return false
	}
	a, b := &n.Attributes[first], &n.Attributes[first+1]
	*a, *b = *b, *a
	return a.Is.Colour && b.Is.Colour && !a.Post && !b.Post
}
