package words

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
)

// Relation is a predicate and its properties.
type Relation struct {
	grammar.Predicate
	Does    *Verb // nothing is known of no verb
	Sayable bool
	// Id identifies the relations with this key; hash is the key's hash.
	Id   uint32
	Hash uint64
	// Subjects and Objects are the heads that the corpus has, or nil for any if it has few.
	Subjects, Objects *Candidates
	// Class is the number of its class in the vocabulary, 0 if it has none. Acting are the heads
	// with its verb, and Misplaced those that are hardly ever the object of its class.
	Class     uint32
	Hashes    Hashes
	Acting    *vocabulary.Heads
	Misplaced vocabulary.HeadSet
	// Replaces reports whether it says enough to be put in another's place.
	Replaces bool
}

// RelationOf returns the relation of a text. lemma may be empty.
func (w *Cache) RelationOf(text, lemma string) *Relation {
	return rememberPair(w, w.relation, text, lemma, (*Cache).describeRelation)
}

func (w *Cache) describeRelation(text, lemma string) *Relation {
	r := &Relation{Predicate: w.predicateOf(text, lemma)}
	for _, set := range relationTraits {
		set(w, r)
	}
	if w.keys[r.Key] == 0 {
		w.keys[r.Key] = w.nextID()
	}
	r.Id = w.keys[r.Key]
	return r
}

// predicateOf returns the predicate that a caption's words of a relation are.
func (w *Cache) predicateOf(text, lemma string) grammar.Predicate {
	return grammar.NewPredicate(w.Lexicon, w.Inflect, grammar.Canonical(w.Inflect, text, lemma), lemma)
}

// relationTraits set the fields of a relation that has its predicate. Later ones read what earlier ones set.
var relationTraits = [...]func(*Cache, *Relation){setVerb, setPartners, setClass}

// setVerb sets the verb of a relation, and whether captions can have it.
func setVerb(w *Cache, r *Relation) {
	r.Does, r.Sayable = w.Verb(r.Verb), grammar.Sayable(r.Key) && (r.Prep != "" || !wordclass.Has(grammar.Postures, r.Verb)) // no "standing a mountain"
	r.Replaces = Replaceable(r) && r.Sayable
}

// setPartners sets the heads that the corpus has as subjects and objects of a relation.
func setPartners(w *Cache, r *Relation) {
	r.Subjects = wider(w.Candidates(slots.Object, w.Vocab.List(vocabulary.SubjectOf, r.Key)), w.Objects)
	r.Objects = wider(w.Candidates(slots.Object, w.Vocab.List(vocabulary.ObjectOf, r.Key)), w.Objects)
}

// setClass sets how a relation is counted.
func setClass(w *Cache, r *Relation) {
	r.Hash, r.Hashes = xxhash.Sum64String(r.Key), HashesOf(&r.Predicate)
	partners, class := &w.Vocab.Partners, grammar.ClassOf(&r.Predicate)
	r.Class, r.Acting, r.Misplaced = partners.Classes[class], partners.Acting[r.Verb], partners.Misplaced[class]
}

// SymmetricBetween reports whether the caption's relation between two nouns is true in both
// directions.
func (w *Cache) SymmetricBetween(text, lemma string) bool {
	if !w.maybeSymmetric(text, lemma) {
		return false
	}
	return rememberPair(w, w.between, text, lemma, func(w *Cache, text, lemma string) bool { return w.predicateOf(text, lemma).Symmetric })
}

// maybeSymmetric is false for most relations that are not true in both
// directions: they neither end nor begin as one that is.
func (w *Cache) maybeSymmetric(text, lemma string) bool {
	switch first, _ := grammar.Cut(text); {
	case w.SymmetricEnds[text[strings.LastIndexByte(text, ' ')+1:]]:
		return true
	case w.Lexicon.VerbSenses(lemma) != nil:
		return w.SymmetricVerbs[lemma]
	default:
		return !wordclass.Has(grammar.Prepositions, first) || wordclass.Has(grammar.Auxiliaries, first) || wordclass.Has(grammar.Fillers, first)
	}
}

// symmetricWords returns the last words of places and prepositions that are true in both
// directions, and of phrases that mean "with", and the verbs that may be.
func symmetricWords() (ends, verbs map[string]bool) {
	ends, verbs = map[string]bool{}, map[string]bool{}
	for _, p := range truth.Places {
		if p.Place == truth.Beside || p.Place == truth.Nearby {
			for _, words := range p.Words {
				ends[words[strings.LastIndexByte(words, ' ')+1:]] = true
			}
		}
	}
	for _, s := range grammar.Symmetrics {
		ends[s.Others[strings.LastIndexByte(s.Others, ' ')+1:]] = true
		verbs[s.Words] = true
	}
	for _, word := range grammar.Having {
		ends[word] = true
	}
	return ends, verbs
}

// Hashes are what is counted of a relation: hashes of its class, its verb, and its verb
// with its preposition; 0 if it has no verb.
type Hashes struct{ Class, Verb, Whole uint64 }

// HashesOf hashes what is counted of a predicate.
func HashesOf(r *grammar.Predicate) Hashes {
	is := Hashes{Class: grammar.ID(grammar.ClassOf(r))}
	if r.Verb != "" {
		is.Verb, is.Whole = grammar.ID(r.Verb), grammar.ID(r.Verb, r.Prep)
	}
	return is
}

// Opposed reports whether exclusions.tsv excludes a relation given another, which has another verb
// or place, or gives its object another place.
func (w *Cache) Opposed(said, is *Relation, of truth.Actor) bool {
	bare := said.Verb == "" || wordclass.Has(grammar.Postures, said.Verb)
	switch {
	case w.Apart.Excludes(said.Place, is.Place):
		return is.Verb == "" || is.Verb == said.Verb || bare && wordclass.Has(grammar.Postures, is.Verb)
	case said.Verb != "" && is.Verb != "" && (said.Gerund == is.Gerund || is.Prep != "by") && said.Does.Opposed(is.Does, of):
		return said.Prep == is.Prep || said.Place == is.Place && said.Place != truth.Nowhere
	}
	return bare && is.Prep == "" && w.Apart.Off[said.Place]&is.Does.opposes.Off != 0
}

// DiffersInOne reports whether two relations differ either in the verb or in the preposition:
// "sleeping on" is not replaced by "standing under". Without a preposition, the verb counts.
func (r *Relation) DiffersInOne(is *Relation) bool {
	return r.Verb == is.Verb || r.Prep == is.Prep || r.Prep == "" || is.Prep == ""
}

// IsDirected reports whether a relation of one noun to another is false, and no stranger, with its
// ends exchanged.
func (r *Relation) IsDirected(a, b *Noun) bool {
	switch {
	case r.Symmetric || !r.Be || a.Vague || b.Vague || a.Intangible || b.Intangible:
		return false
	case r.Verb != "" && (r.Prep == "" || r.Prep == "by" && !r.Gerund):
		return truth.IsDirected(r.Verb, a.Kind, b.Kind)
	case r.Place == truth.Before && (wordclass.Has(facing, a.Head) || wordclass.Has(facing, b.Head)):
		return false // what is in front of a camera has the camera in front of it
	case r.Place == truth.On && !wordclass.Has(" top atop ", r.Prep[strings.LastIndexByte(strings.TrimSuffix(r.Prep, " of"), ' ')+1:]):
		return false
	}
	return (r.Verb == "" || a.Kind == b.Kind) && truth.TurnsAround(r.Place, a.Kind, b.Kind) // no curtain sits in front of a suitcase
}

// plain is true for a relation that may replace others, and says its place, if it has one, by the
// first of its prepositions.
func (r *Relation) plain() bool {
	return r.Replaces && (r.Place == truth.Nowhere || r.Prep == grammar.ClassOf(&r.Predicate))
}

// Replaceable is true for relations that say enough to be put in another's place.
func Replaceable(r *Relation) bool {
	if form, _ := grammar.Cut(r.Key); wordclass.Has(grammar.Misspelt, form) || wordclass.Has(grammar.Clauses, r.Key[strings.LastIndexByte(r.Key, ' ')+1:]) { // "running while a ball"
		return false
	}
	if r.Place != truth.Nowhere && wordclass.Has(grammar.Transitive, r.Verb) {
		return false
	}
	return r.Key != "" && r.Be && (r.Verb != "" && (r.Prep != "" || !placing(r.Verb)) || r.Verb == "" && r.Place != truth.Nowhere)
}

// placing is true for verbs that say little without a preposition: no "standing a
// mountain".
func placing(verb string) bool {
	return wordclass.Has(grammar.Postures, verb) || wordclass.Has(" put place set ", verb)
}

// Said returns a relation without changes.
func (w *Cache) Said(key string) *Relation {
	id := grammar.ID(key)
	r, ok := w.relation[id]
	if !ok {
		r = &Relation{Predicate: grammar.NewPredicate(w.Lexicon, w.Inflect, key, "")}
		w.Kept += WordSize
		w.relation[id] = r
	}
	return r
}

// TakesSeveral is true for relations to several things at once: "with", "holding".
func (r *Relation) TakesSeveral() bool {
	return r.Key == "with" || r.Place == truth.Beside || r.Place == truth.Nearby || r.Prep == "" && wordclass.Has(ofSeveral, r.Verb)
}

// Called returns the name under which a relation is counted: its verb, or the class of its place.
func (r *Relation) Called() string {
	if r.Verb != "" {
		return r.Verb
	}
	return grammar.ClassOf(&r.Predicate)
}

// Times is how often the corpus relates one noun to another by such relations.
func (w *Cache) Times(subject, object *Noun, such func(*Relation) bool) (n uint64) {
	for relation, count := range vocabulary.Counted(w.Vocab.List(vocabulary.Between, subject.Head, object.Head)) {
		if such(w.RelationOf(relation, "")) {
			n += count
		}
	}
	return n
}
