package plausible

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/internal/portable"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// Attested counts how often heads occur in relations, with attributes and with verbs, for the
// judge. Keys are hashes of words with what is counted of them.
type Attested struct {
	Counts map[uint64]int64
	// relations and attributes are the sums of all counts of relations and of attributes.
	relations, attributes int64
	classes               map[string]words.Hashes // hashes of relations, by their key
}

// What is counted.
const (
	besides      = iota + 1 // two heads, in their order
	InClass                 // subject, object, class
	subjects                // head
	objects                 // head
	subjectsIn              // head, class
	objectsIn               // head, class
	allIn                   // class
	doers                   // head, verb
	doneTo                  // head, verb with its preposition
	threesome               // subject, object, verb
	attributesOf            // head, attribute
	attributed              // head
	attributing             // attribute
	actsOf                  // noun, form of a verb
	formsOfActs             // form of a verb
)

func newAttested() *Attested {
	return &Attested{Counts: map[uint64]int64{}, classes: map[string]words.Hashes{}}
}

// KeyOf returns the key of a count: what is counted, and the hashes of the words.
func KeyOf(what uint64, words ...uint64) uint64 {
	for _, w := range words {
		what = grammar.Mixed(what ^ w)
	}
	return what
}

// Add adds a count of the vocabulary. It ignores kinds that the judge does not use.
func (a *Attested) Add(lex *lexicon.Lexicon, in *lexicon.Inflector, c schemas.Count) {
	switch context, word, err := vocabulary.CutKey(c); {
	case err != nil:
	case c.Kind == vocabulary.Between:
		first, second := cutTab(context)
		s, o := grammar.ID(first), grammar.ID(second)
		r, ok := a.classes[word]
		if !ok {
			is := grammar.NewPredicate(lex, in, word, "")
			r = words.HashesOf(&is)
			a.classes[word] = r
		}
		for _, key := range [...]uint64{KeyOf(besides, s, o), KeyOf(InClass, s, o, r.Class), KeyOf(subjects, s), KeyOf(objects, o), KeyOf(subjectsIn, s, r.Class), KeyOf(objectsIn, o, r.Class), KeyOf(allIn, r.Class)} {
			a.Counts[key] += c.N
		}
		if r.Verb != 0 {
			a.Counts[KeyOf(doers, s, r.Verb)] += c.N
			a.Counts[KeyOf(doneTo, o, r.Whole)] += c.N
			a.Counts[KeyOf(threesome, s, o, r.Verb)] += c.N
		}
		a.relations += c.N
	case c.Kind == vocabulary.AttributeOf:
		h, p := grammar.ID(context), grammar.ID(word)
		a.Counts[KeyOf(attributesOf, h, p)] += c.N
		a.Counts[KeyOf(attributed, h)] += c.N
		a.Counts[KeyOf(attributing, p)] += c.N
		a.attributes += c.N
	case c.Kind == vocabulary.ActionOf:
		_, rest := cutTab(context)
		noun, _ := cutTab(rest)
		f := grammar.ID(word)
		a.Counts[KeyOf(actsOf, grammar.ID(noun), f)] += c.N
		a.Counts[KeyOf(formsOfActs, f)] += c.N
	}
}

// HasRelation reports whether captions have a relation between two nouns more than once: its class and,
// if it has one, its verb.
func (a *Attested) HasRelation(subject, object *words.Noun, r *words.Relation) bool {
	s, o := subject.HeadID, object.HeadID
	return a.Counts[KeyOf(InClass, s, o, r.Hashes.Class)] >= 2 && (r.Verb == "" || a.Counts[KeyOf(threesome, s, o, r.Hashes.Verb)] >= 2)
}

// MayBeAdded reports whether captions have x often enough for it to be added to a fact beside other.
// They must have x and other with a relation at least NoSlip times, unless x is a person. They must
// have the fact more than once, with its verb unless x is alive.
func (a *Attested) MayBeAdded(x, other *words.Noun, f Fact) bool {
	s, o := f.Subject.HeadID, f.Object.HeadID
	switch {
	case x.Kind != truth.People && a.Counts[KeyOf(besides, x.HeadID, other.HeadID)]+a.Counts[KeyOf(besides, other.HeadID, x.HeadID)] < vocabulary.NoSlip:
		return false
	case x.Alive():
		return a.Counts[KeyOf(InClass, s, o, f.Is.Hashes.Class)] >= 2
	}
	return a.HasRelation(f.Subject, f.Object, f.Is)
}

// HasSubject reports whether captions have a subject with a relation's verb, or with its class if it has
// no verb, at least NoSlip times.
func (a *Attested) HasSubject(subject *words.Noun, r *words.Relation) bool {
	if r.Hashes.Verb != 0 {
		return a.Counts[KeyOf(doers, subject.HeadID, r.Hashes.Verb)] >= vocabulary.NoSlip
	}
	return a.Counts[KeyOf(subjectsIn, subject.HeadID, r.Hashes.Class)] >= vocabulary.NoSlip
}

// AllowsRelation reports whether a subject may be in a relation to an object. Captions must have the
// object in such relations, and must not have both so often that this relation, if likely, would
// have occurred. A place must have the object once in 600 of its relations, or at all for next to,
// before and behind; on, in and under need a smaller subject. Lifeless subjects must occur in such
// a place; weather and intangible things may not be there.
func (a *Attested) AllowsRelation(subject, object *words.Noun, r *words.Relation) bool {
	s, o, class := subject.HeadID, object.HeadID, r.Hashes.Class
	placed := r.Place != truth.Nowhere
	switch {
	case object.Vague, object.Intangible, object.Kind == truth.Weather && placed, wordclass.Has(grammar.Times, object.Head), wordclass.Has(grammar.Backdrops, object.Head):
		return false
	case placed && (subject.Intangible || subject.Kind == truth.Weather || !subject.Alive() && a.Counts[KeyOf(subjectsIn, s, class)] == 0):
		return false
	case r.Verb != "" && (r.Prep == "" || !wordclass.Has(grammar.Postures, r.Verb)):
		return a.Counts[KeyOf(doneTo, o, r.Hashes.Whole)] > 0
	case r.Verb != "" && r.Place == truth.On && !a.hasPosturesOn(object, r.Prep):
		return false
	case a.Counts[KeyOf(InClass, s, o, class)] > 0:
		return true
	}
	switch r.Place {
	case truth.Beside, truth.Nearby, truth.Before, truth.Behind:
		return !object.Kind.Surrounds() && a.Counts[KeyOf(objectsIn, o, class)] > 0
	case truth.In:
		if subject.Size() >= object.Size() {
			return false
		}
	case truth.On, truth.Under:
		if subject.Size() > object.Size() || s == o {
			return false
		}
	}
	return a.Counts[KeyOf(objectsIn, o, class)]*600 > a.Counts[KeyOf(objects, o)] && a.Counts[KeyOf(subjectsIn, s, class)]*a.Counts[KeyOf(objectsIn, o, class)] < 4*a.Counts[KeyOf(allIn, class)]
}

// hasPosturesOn reports whether captions have somebody sitting, standing or lying on a thing.
func (a *Attested) hasPosturesOn(n *words.Noun, preposition string) bool {
	for verb := range strings.FieldsSeq(grammar.Postures) {
		if a.Counts[KeyOf(doneTo, n.HeadID, grammar.ID(verb, preposition))] > 0 {
			return true
		}
	}
	return false
}

// HasActor reports whether captions have a noun as the subject of a verb at least NoSlip times.
func (a *Attested) HasActor(n *words.Noun, verb *words.Action) bool {
	return a.Counts[KeyOf(actsOf, n.HeadID, grammar.ID(verb.Form))] >= vocabulary.NoSlip || a.Counts[KeyOf(doers, n.HeadID, grammar.ID(verb.Base))] >= vocabulary.NoSlip
}

// HasObject reports whether captions have a noun as the object of a verb, or of its preposition, at
// least NoSlip times.
func (a *Attested) HasObject(n *words.Noun, verb *words.Action, preposition string) bool {
	return a.Counts[KeyOf(doneTo, n.HeadID, grammar.ID(verb.Base, preposition))] >= vocabulary.NoSlip
}

// log returns ln(1 + n) of a count n.
func (a *Attested) log(key uint64) float64 { return logOf(a.Counts[key]) }

func logOf(n int64) float64 { return portable.Log(float64(1 + n)) }

// cutTab returns the part of a key before its first tab, and the part after it.
func cutTab(key string) (first, rest string) {
	first, rest, _ = strings.Cut(key, "\t")
	return first, rest
}

// lift returns the logarithm of n over the number that x and y of all would have in common by
// chance.
func lift(n, x, y, all int64) float64 {
	chance := float64(float64(x)*float64(y)) / float64(max(all, 1))
	return portable.Log((float64(n) + 0.3) / (chance + 0.3))
}
