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

// Relation is a predicate with its data from the lexicon and the corpus.
type Relation struct {
	grammar.Predicate
	Does    *Verb // its verb; without one, that of ""
	Sayable bool
	// Id is the same for relations with the same key, and Hash is the hash of the key.
	Id   uint32
	Hash uint64
	// Subjects and Objects are the nouns that the corpus has with it, or all objects if these are few.
	Subjects, Objects *Candidates
	// Class is the number of its class in the vocabulary, or 0. Acting are the heads that are the subject of its verb.
	// Misplaced are the heads that are hardly ever the object of its class.
	Class     uint32
	Hashes    Hashes
	Acting    *vocabulary.Heads
	Misplaced vocabulary.HeadSet
	// Replaces is set if it tells enough to replace another relation.
	Replaces bool
}

// RelationOf returns the relation of a text. lemma may be "".
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

// predicateOf returns the predicate of the words of a relation in a caption.
func (w *Cache) predicateOf(text, lemma string) grammar.Predicate {
	return grammar.NewPredicate(w.Lexicon, w.Inflect, grammar.Canonical(w.Inflect, text, lemma), lemma)
}

// relationTraits are functions that set the fields of a relation which has its predicate. They are called in this
// order, since later ones read fields that earlier ones set.
var relationTraits = [...]func(*Cache, *Relation){setVerb, setPartners, setClass}

// setVerb sets the verb of a relation, and whether texts may have the relation.
func setVerb(w *Cache, r *Relation) {
	r.Does, r.Sayable = w.Verb(r.Verb), grammar.Sayable(r.Key) && (r.Prep != "" || !wordclass.Has(grammar.Postures, r.Verb)) // no "standing a mountain"
	r.Replaces = Replaceable(r) && r.Sayable
}

// setPartners sets the nouns that the corpus has as subjects and objects of a relation.
func setPartners(w *Cache, r *Relation) {
	r.Subjects = chooseWider(w.Candidates(slots.Object, w.Vocab.List(vocabulary.SubjectOf, r.Key)), w.Objects)
	r.Objects = chooseWider(w.Candidates(slots.Object, w.Vocab.List(vocabulary.ObjectOf, r.Key)), w.Objects)
}

// setClass sets the class of a relation, and the hashes under which it is counted.
func setClass(w *Cache, r *Relation) {
	r.Hash, r.Hashes = xxhash.Sum64String(r.Key), HashesOf(&r.Predicate)
	partners, class := &w.Vocab.Partners, grammar.ClassOf(&r.Predicate)
	r.Class, r.Acting, r.Misplaced = partners.Classes[class], partners.Acting[r.Verb], partners.Misplaced[class]
}

// SymmetricBetween reports whether a relation is true in both directions. text has the caption's words between two
// nouns.
func (w *Cache) SymmetricBetween(text, lemma string) bool {
	if !w.maybeSymmetric(text, lemma) {
		return false
	}
	return rememberPair(w, w.between, text, lemma, func(w *Cache, text, lemma string) bool { return w.predicateOf(text, lemma).Symmetric })
}

// maybeSymmetric reports false, as a fast test, for most relations that are not true in both directions: they begin and
// end unlike one that is.
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

// symmetricWords returns the last words of prepositions that are true in both directions or mean "with", and the verbs
// that may be.
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

// Hashes are the hashes under which a relation is counted: those of its class, its verb, and its verb with its
// preposition. The last two are 0 without a verb.
type Hashes struct{ Class, Verb, Whole uint64 }

// HashesOf returns the hashes under which a predicate is counted.
func HashesOf(r *grammar.Predicate) Hashes {
	is := Hashes{Class: grammar.ID(grammar.ClassOf(r))}
	if r.Verb != "" {
		is.Verb, is.Whole = grammar.ID(r.Verb), grammar.ID(r.Verb, r.Prep)
	}
	return is
}

// Opposed reports whether exclusions.tsv says that relation is is false if said is true: by their places, by their
// verbs with the same preposition or place, or by a verb that is not done in the place of said.
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

// DiffersInOne reports whether two relations differ only in the verb or only in the preposition: "sleeping on" is not
// replaced by "standing under". If one has no preposition, only the verbs count.
func (r *Relation) DiffersInOne(is *Relation) bool {
	return r.Verb == is.Verb || r.Prep == is.Prep || r.Prep == "" || is.Prep == ""
}

// IsDirected reports whether a relation is false, but no less plausible, with its ends exchanged.
func (r *Relation) IsDirected(a, b *Noun) bool {
	switch {
	case r.Symmetric || !r.Be || a.Vague || b.Vague || a.Intangible || b.Intangible:
		return false
	case r.Verb != "" && (r.Prep == "" || r.Prep == "by" && !r.Gerund):
		return truth.IsDirected(r.Verb, a.Kind, b.Kind)
	case r.Place == truth.Before && (wordclass.Has(facing, a.Head) || wordclass.Has(facing, b.Head)):
		return false // a camera also has in front of it what it is in front of
	case r.Place == truth.On && !wordclass.Has(" top atop ", r.Prep[strings.LastIndexByte(strings.TrimSuffix(r.Prep, " of"), ' ')+1:]):
		return false
	}
	return (r.Verb == "" || a.Kind == b.Kind) && truth.IsReversible(r.Place, a.Kind, b.Kind) // but no curtain sits in front of a suitcase
}

// isPlain reports whether a relation may replace others and, if it has a place, names it by the place's first
// preposition.
func (r *Relation) isPlain() bool {
	return r.Replaces && (r.Place == truth.Nowhere || r.Prep == grammar.ClassOf(&r.Predicate))
}

// Replaceable reports whether a relation tells enough to replace another.
func Replaceable(r *Relation) bool {
	if form, _ := grammar.Cut(r.Key); wordclass.Has(grammar.Misspelt, form) || wordclass.Has(grammar.Clauses, r.Key[strings.LastIndexByte(r.Key, ' ')+1:]) { // "running while a ball"
		return false
	}
	if r.Place != truth.Nowhere && wordclass.Has(grammar.Transitive, r.Verb) {
		return false
	}
	return r.Key != "" && r.Be && (r.Verb != "" && (r.Prep != "" || !needsPreposition(r.Verb)) || r.Verb == "" && r.Place != truth.Nowhere)
}

// needsPreposition reports whether a verb tells little without a preposition: no "standing a mountain".
func needsPreposition(verb string) bool {
	return wordclass.Has(grammar.Postures, verb) || wordclass.Has(" put place set ", verb)
}

// CanonicalRelation returns the relation with a key that is in canonical form already.
func (w *Cache) CanonicalRelation(key string) *Relation {
	id := grammar.ID(key)
	r, ok := w.relation[id]
	if !ok {
		r = &Relation{Predicate: grammar.NewPredicate(w.Lexicon, w.Inflect, key, "")}
		w.Kept += WordSize
		w.relation[id] = r
	}
	return r
}

// TakesSeveral reports whether a relation may hold with several things at once: "with", "holding".
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

// Times returns how often the corpus relates a subject to an object by relations for which such is true.
func (w *Cache) Times(subject, object *Noun, such func(*Relation) bool) (n uint64) {
	for relation, count := range vocabulary.Counted(w.Vocab.List(vocabulary.Between, subject.Head, object.Head)) {
		if such(w.RelationOf(relation, "")) {
			n += count
		}
	}
	return n
}
