package words

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// Cache looks up what the lexicon, the tables and the corpus have about words, and caches it up to
// a bound.
type Cache struct {
	Lexicon *lexicon.Lexicon
	Inflect *lexicon.Inflector
	Vocab   *vocabulary.Vocabulary
	// SymmetricEnds and SymmetricVerbs come from symmetricWords.
	SymmetricEnds, SymmetricVerbs map[string]bool
	Apart                         truth.Apartness
	ids                           uint32
	Bound                         int // limit for Kept
	lookups
}

// lookups are the cached results.
type lookups struct {
	nouns map[string]*Noun
	heads map[string]*Headword
	// By grammar.ID: names by name and head, relation by predicate and lemma, between by the words
	// between two nouns and a lemma.
	names    map[uint64]NamedNoun
	relation map[uint64]*Relation
	between  map[uint64]bool
	// keys has the id for each key of a relation.
	keys map[string]uint32
	// properties by attributes, verbs by base forms, actions by inflected forms.
	properties map[string]*Property
	verbs      map[string]*Verb
	actions    map[string]*Action
	// known reports, for each word that was looked up, whether the lexicon has it.
	known map[string]bool
	// uses has, for each form, the counts of the verbs.
	uses map[string]map[string]uint64
	// Candidates: Objects and Quantities for all slots of these kinds; relating for relations
	// between two heads; acting for verbs, by the ID of their form, the noun before and the
	// complement.
	Objects, Quantities *Candidates
	relating            map[[3]uint32]*Candidates
	acting              map[uint64]*Candidates
	lists               map[*slots.Candidate]*Candidates
	ofKind              map[dimensionOfKind]*Candidates
	// opposite are the candidates that exclusions.tsv may oppose to the word of a slot, by kind,
	// actor, and the ID of form and complement.
	opposite map[[3]uint64]*Candidates
	Kept     int // the number of cached candidates; a word counts as WordSize
}

// dimensionOfKind is a dimension of attributes and a kind of things.
type dimensionOfKind struct {
	dimension string
	kind      truth.Kind
}

// NamedNoun is the noun of an object, and its head.
type NamedNoun struct {
	Noun   *Noun
	Plural bool
	Head   *Headword
}

// Headword has what the corpus has about a head: its attributes, the relations that it is the
// object of, and its partners.
type Headword struct {
	Text                  string
	Attributes, relations *Candidates
	// ofSort are the attributes of all heads of its sorts; nil until needed.
	ofSort *Candidates
	vocabulary.Partners
}

// MaxKept is the most candidates that a cache keeps, or all caches together that share the bound. A
// word counts as WordSize candidates.
const (
	MaxKept  = 1 << 22
	WordSize = 16
)

// New makes an empty cache.
func New(vocab *vocabulary.Vocabulary) *Cache {
	w := &Cache{Lexicon: vocab.Lexicon, Inflect: vocab.Inflect, Vocab: vocab, Apart: truth.NewApartness(), Bound: MaxKept}
	w.SymmetricEnds, w.SymmetricVerbs = symmetricWords()
	w.Forget()
	return w
}

// NewOfLexicon makes a cache that has the words of the lexicon, but no corpus.
func NewOfLexicon() (*Cache, error) {
	lex, err := lexicon.Open()
	if err != nil {
		return nil, err
	}
	v, err := vocabulary.Read(func(func(schemas.Count) bool) {}, lex, lexicon.NewInflector(), vocabulary.Limits{}, nil)
	if err != nil {
		return nil, err
	}
	return New(v), nil
}

// Forget empties the cache.
func (w *Cache) Forget() {
	w.lookups = lookups{
		nouns: map[string]*Noun{}, names: map[uint64]NamedNoun{}, heads: map[string]*Headword{},
		relation: map[uint64]*Relation{}, between: map[uint64]bool{}, keys: map[string]uint32{},
		properties: map[string]*Property{}, verbs: map[string]*Verb{}, actions: map[string]*Action{}, known: map[string]bool{}, uses: map[string]map[string]uint64{},
		relating: map[[3]uint32]*Candidates{}, acting: map[uint64]*Candidates{}, opposite: map[[3]uint64]*Candidates{}, lists: map[*slots.Candidate]*Candidates{}, ofKind: map[dimensionOfKind]*Candidates{},
	}
	w.Objects = w.Candidates(slots.Object, w.Vocab.Objects)
	w.Quantities = w.Candidates(slots.Quantity, w.Vocab.List(vocabulary.Quantity))
	w.Kept = 0
}

// nextID returns a new id for a word that is cached, and counts the word.
func (w *Cache) nextID() uint32 {
	w.Kept += WordSize
	w.ids++
	return w.ids
}

// rememberWord returns the cached value of a word, or caches what describe returns.
func rememberWord[T any](w *Cache, kept map[string]T, word string, describe func(*Cache, string) T) T {
	if x, ok := kept[word]; ok {
		return x
	}
	word = strings.Clone(word)
	x := describe(w, word)
	kept[word] = x
	return x
}

// rememberPair is as rememberWord, for the value of two words.
func rememberPair[T any](w *Cache, kept map[uint64]T, a, b string, describe func(w *Cache, a, b string) T) T {
	id := grammar.ID(a, b)
	if x, ok := kept[id]; ok {
		return x
	}
	x := describe(w, a, b)
	w.Kept += WordSize
	kept[id] = x
	return x
}

// Headword returns what the corpus has about a head.
func (w *Cache) Headword(head string) *Headword {
	return rememberWord(w, w.heads, head, (*Cache).describeHead)
}

func (w *Cache) describeHead(head string) *Headword {
	h := &Headword{
		Text:       head,
		Attributes: w.Candidates(slots.Attribute, w.Vocab.List(vocabulary.AttributeOf, head)),
		relations:  w.Candidates(slots.Relation, vocabulary.WithoutSlips(w.Vocab.List(vocabulary.RelationTo, head))),
	}
	if p := w.Vocab.Partners.Heads[head]; p != nil {
		h.Partners = *p
	}
	return h
}

// Candidates returns a list as candidates for a kind of slot.
func (w *Cache) Candidates(kind slots.Kind, list []slots.Candidate) *Candidates {
	w.Kept += len(list)
	return &Candidates{Id: w.nextID(), Kind: kind, List: list}
}

// Listed returns a list of the vocabulary as candidates for a kind of slot, cached by list.
func (w *Cache) Listed(kind slots.Kind, list []slots.Candidate) *Candidates {
	if len(list) == 0 {
		return nil
	}
	l, ok := w.lists[&list[0]]
	if !ok {
		l = w.Candidates(kind, list)
		w.lists[&list[0]] = l
	}
	return l
}

// Relations returns candidates for replacing the relation text, with id key, between two heads: the
// corpus's relations between them, or, if these are few, all its relations to the object.
func (w *Cache) Relations(text string, key uint32, subject, object *Headword) *Candidates {
	if subject.Id == 0 || object.Id == 0 {
		return object.relations
	}
	id := [3]uint32{subject.Id, object.Id, key}
	l, ok := w.relating[id]
	if !ok {
		l = chooseWider(w.Candidates(slots.Relation, w.Vocab.List(vocabulary.Between, subject.Text, object.Text)), object.relations)
		original := w.RelationOf(text, "")
		if !slices.ContainsFunc(l.List, func(c slots.Candidate) bool { return w.RelationsExclude(original, w.RelationOf(c.Text, "")) }) {
			l = chooseWider(&Candidates{}, object.relations)
		}
		w.Kept += WordSize
		w.relating[id] = l
	}
	return l
}

// Actions returns the verbs in a form that the corpus has with a noun and a complement. If they are few
// and the complement is not an object, it returns the noun's verbs with other complements that the
// corpus also has with this complement.
func (w *Cache) Actions(form, noun, complement string) *Candidates {
	id := grammar.ID(form, noun, complement)
	a, ok := w.acting[id]
	if !ok {
		common := w.commonVerbs(form, complement)
		list := w.withForm(form, w.Vocab.List(vocabulary.ActionOf, form, noun, complement), common)
		if len(list) < vocabulary.Few && complement != grammar.Direct {
			list = w.withForm(form, common, vocabulary.WithoutSlips(w.Vocab.List(vocabulary.ActionOf, form, noun, "")))
		}
		a = w.Candidates(slots.Action, list)
		w.acting[id] = a
	}
	return a
}

// Smaller shares are taken for mistakes of a writer, tagger or parser: seldom is the share of a
// verb with a complement among all actions, slipped that of a relation among those to an object
// ("wearing water").
const (
	seldom  = 1.0 / 15000
	slipped = 1.0 / 200
)

// withoutRareUses returns the verbs of a list, all with one complement, that have the complement in at
// least one of rarely uses.
func (w *Cache) withoutRareUses(form string, list []slots.Candidate) []slots.Candidate {
	if w.uses[form] == nil {
		w.uses[form] = map[string]uint64{}
		for verb, n := range vocabulary.Counted(w.Vocab.List(vocabulary.Action, form)) {
			w.uses[form][verb] = n
			w.Kept++
		}
	}
	return vocabulary.Filter(list, func(verb string, n uint64) bool { return n*rarely >= w.uses[form][verb] })
}

const rarely = 200

// withForm returns the verbs of list that are also in other and have the form that the tag requires.
func (w *Cache) withForm(tag string, list, other []slots.Candidate) []slots.Candidate {
	return vocabulary.Filter(list, func(verb string, _ uint64) bool { return vocabulary.Has(other, verb) && w.HasForm(tag, verb) })
}

// chooseWider returns narrow if it has at least Few candidates or is no shorter than wide; else wide,
// unless that is nil.
func chooseWider(narrow, wide *Candidates) *Candidates {
	if wide == nil || len(narrow.List) >= vocabulary.Few || len(narrow.List) >= len(wide.List) {
		return narrow
	}
	return wide
}

// commonVerbs returns the verbs that the corpus has in a form with a complement, without mistakes.
func (w *Cache) commonVerbs(form, complement string) []slots.Candidate {
	return w.withoutRareUses(form, vocabulary.CountedAtLeast(w.Vocab.List(vocabulary.ActionOf, form, "", complement), seldom*float64(w.Vocab.Actions)))
}
