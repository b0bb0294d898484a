package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/plausible"
	"capgraph/negatives/say"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// dictionary says which words fit together, whatever the image: the vocabulary of the corpus, shared by all generators,
// and the words that one generator has looked up.
type dictionary struct {
	vocab  *Vocabulary
	words  *words.Cache
	other  say.OtherWords
	filter candidateFilter
}

func newDictionary(opts *Options, vocab *Vocabulary) *dictionary {
	w := words.New(vocab.corpus)
	return &dictionary{
		vocab: vocab, words: w, other: say.NewOtherWords(w),
		filter: newFilter(w, vocab.siblings, opts.Replacements == FromCorpus),
	}
}

// hasRelationOf reports whether the corpus has a relation of such a subject. Without a verb, or if
// replacements need not be plausible, it is also true if the corpus has few relations of the
// subject.
func (dict *dictionary) hasRelationOf(subject *words.Noun, r *words.Relation) bool {
	if dict.filter.plausible && r.Verb != "" {
		return vocabulary.Has(subject.Relations, r.Key)
	}
	return vocabulary.HasOrUnknown(subject.Relations, r.Key)
}

// hasLikelyPlace reports whether the place that a phrase gives is likely. It is false if something is on, in, under, at
// or at the side of a smaller thing and the corpus has fewer than three such cases: "a road on a car".
func (dict *dictionary) hasLikelyPlace(p *say.Phrase) bool {
	if !dict.filter.plausible {
		return true
	}
	part, of := strings.CutSuffix(p.Relation.Prep, " of")
	larger := of && wordclass.Has(" middle center side edge ", part[strings.LastIndexByte(part, ' ')+1:]) // the object must be larger
	switch p.Relation.Place {
	case truth.On, truth.In:
		larger = true
	case truth.Under:
	case truth.Above:
		if p.Subject.Noun.Size() < truth.Vast { // no "park over kites"
			return true
		}
	case truth.Behind, truth.Before, truth.Left, truth.Right:
		return true
	default: // at, between, surrounded by
		if !larger && (p.Relation.Verb != "" && p.Relation.Prep == "" || p.Subject.Noun.Alive() && p.Object.Noun.Alive()) {
			return true
		}
	}
	if size := p.Subject.Noun.Size(); larger && size > truth.Small && size > p.Object.Noun.Size() {
		return false
	}
	return dict.words.Times(p.Subject.Noun, p.Object.Noun, func(r *words.Relation) bool { return r.Class == p.Relation.Class }) >= vocabulary.NoSlip
}

// attributeApplies reports whether noun n can have an attribute that another noun has. All but people have a colour; a
// length or a height depends on the head; any other attribute must occur in the corpus with n's head or with its kind.
func (dict *dictionary) attributeApplies(n *words.Noun, p *words.Property) bool {
	switch c := p.Core; {
	case !dict.filter.plausible:
		return true
	case c.Colour && truth.Natural(n.Kind):
		return n.Kind != truth.People && hasNaturalColour(n.Word.Attributes.List, c.Text)
	case c.Colour:
		return true
	case c.Size:
		return !n.Usage.Mass()
	case c.Number:
		return true
	case c.Age && n.Age == 'c':
		return false
	}
	heads, kinds := dict.words.HeadsOf(p)
	if wordclass.Has(extents, p.Core.Text) {
		kinds = 0
	}
	return len(heads) == 0 || n.Kind != 0 && kinds>>n.Kind&1 != 0 || vocabulary.Has(heads, n.Head)
}

// attributeAppliesTo reports whether n, which replaces original, can have an attribute of original (see
// attributeApplies). Nouns of one sort share attributes without a dimension ("Binary Code Mens Wallet") and materials.
func (dict *dictionary) attributeAppliesTo(original, n *words.Noun, p *words.Property) bool {
	if words.OfOneSort(original, n) && p.Core.Verb == 0 && (len(p.Core.Values) == 0 || p.Core.Material) {
		return true
	}
	return dict.attributeApplies(n, p)
}

// excludeEachOther reports whether two attributes cannot both be true of one thing, so that each may replace the other.
func (dict *dictionary) excludeEachOther(a, b *words.Property) bool {
	return dict.words.AttributesExclude(a, b) && dict.words.AttributesExclude(b, a)
}

// hasNaturalColour reports whether a list has a word with a count of at least naturally.
func hasNaturalColour(list []slots.Candidate, word string) bool {
	for w, n := range vocabulary.Counted(list) {
		if w == word {
			return n >= minNaturalCount
		}
	}
	return false
}

// areRelated reports whether the corpus relates the subject to the object. It is always true if replacements need not
// be plausible.
func (dict *dictionary) areRelated(subject, object *words.Noun) bool {
	return !dict.filter.plausible || len(dict.words.Vocab.List(vocabulary.Between, subject.Head, object.Head)) > 0
}

// chooseCandidates returns the proposed candidates that fit a slot. If none fits an attribute's slot, it returns other
// attributes: all of the slot's dimension if most things have that dimension, else those that the corpus has for things
// of the same sort or kind.
func (dict *dictionary) chooseCandidates(s *slot, proposed *words.Candidates) *choices {
	fit := dict.filter.candidatesFor(s, proposed)
	if !fit.empty() || s.kind != slots.Attribute {
		return fit
	}
	p := dict.words.Property(s.text).Core
	if len(p.Values) == 0 {
		return fit
	}
	dimension := dict.words.Lexicon.Dimension(p.Values[0])
	if slices.Contains(general, dimension) && !(p.Colour && truth.Natural(s.of)) {
		return dict.filter.candidatesFor(s, dict.words.Listed(slots.Attribute, dict.words.Vocab.List(vocabulary.Attribute, dimension)))
	}
	if fit = dict.filter.candidatesFor(s, dict.words.AttributesOfSort(s.head)); !fit.empty() || truth.Natural(s.of) || !slices.Contains(shared, dimension) {
		return fit
	}
	return dict.filter.candidatesFor(s, dict.words.AttributesOfKind(dimension, s.of))
}

// shared are dimensions that any thing of a kind may take values of: "a vintage pennant". Materials are not among them:
// no "brick suitcase".
var shared = []string{"newness", "pattern", "shape"}

// general are dimensions that most things have. Of the others a noun has only values that the corpus has for it: no
// "foggy tape" for "clear tape". Animals, people, food, plants and land have only colours that the corpus has for them.
var general = []string{"colour", "size", "number"}

// verbFits reports whether a verb fits the object, the place and the other words around it: the corpus or the judge's
// captions have it with each.
func (dict *dictionary) verbFits(d *plausible.Deed, a *words.Action) bool {
	known := dict.vocab.attested
	switch {
	case d.TakesObject && !isDoneTo(d.Object, a) && (d.Object == nil || !known.HasObject(d.Object, a, "")), !d.HasObject && wordclass.Has(grammar.Transitive, a.Base):
		return false
	case d.Place != nil && !isDoneThere(d.Place, d.In, a) && !known.HasObject(d.Place, a, d.In), d.Way != nil && !isDoneWith(d.Way, d.Along, a):
		return false
	case d.Out && wordclass.Has(grammar.Postures, a.Base): // "laying out of a bowl"
		return false
	case wordclass.Has(animate, a.Base) && d.Subject.Kind != 0 && !d.Subject.Alive():
		return false
	}
	return true
}

// isKnownDeed reports whether captions have the verb with such a subject and with the words after it. Verbs of posture
// need only the subject.
func (dict *dictionary) isKnownDeed(d *plausible.Deed, a *words.Action) bool {
	known := dict.vocab.attested
	return known.HasActor(d.Subject, a) && (d.After == nil || wordclass.Has(grammar.Postures, a.Base) || known.HasObject(d.After, a, d.In))
}

// isDoneThere reports whether the corpus has a verb with a preposition and such a place: not "walking on a bench".
// Verbs of rest fit most places.
func isDoneThere(place *words.Noun, preposition string, a *words.Action) bool {
	rests := wordclass.Has(grammar.Postures, a.Base) || a.Base == "sleep" || a.Base == "rest"
	return rests && !wordclass.Has(bearing, place.Head) || isDoneWith(place, preposition, a)
}

// isDoneWith reports whether the corpus has a verb with a preposition and such a noun: "walking" "down" "street".
func isDoneWith(n *words.Noun, preposition string, a *words.Action) bool {
	return vocabulary.Has(n.Suffers, a.Gerund+" "+preposition) || a.Form != a.Gerund && vocabulary.Has(n.Suffers, a.Form+" "+preposition)
}

// isDoneTo reports whether the corpus has a verb with such an object. object is nil if it is not a noun: "each other".
func isDoneTo(object *words.Noun, a *words.Action) bool {
	return object != nil && (vocabulary.Has(object.Undergoes, a.Gerund) || vocabulary.Has(object.Undergoes, a.Form))
}
