package negatives

import (
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
)

// words looks up what is known of words and keeps it, up to a bound.
type words struct {
	lexicon *lexicon.Lexicon
	inflect *lexicon.Inflector
	vocab   *vocabulary
	// symmetricEnds and symmetricVerbs are as symmetricWords gives them.
	symmetricEnds, symmetricVerbs map[string]bool
	apart                         apartness
	ids                           uint32
	bound                         int // of what is kept
	lookups
}

// lookups are what was looked up.
type lookups struct {
	nouns map[string]*noun
	heads map[string]*headword
	// names are of names and heads, relation is of predicates and lemmas, and between
	// of what stands between two nouns and a lemma, by idOf.
	names    map[uint64]namedNoun
	relation map[uint64]*relation
	between  map[uint64]bool
	// keys are the ids of the keys of relations.
	keys map[string]uint32
	// properties, verbs and actions are of attributes, base forms and forms.
	properties map[string]*property
	verbs      map[string]*verb
	actions    map[string]*action
	// uses are the counts of verbs by their form.
	uses map[string]map[string]uint64
	// The candidates for all objects and quantities, for relations between two heads,
	// and for actions of a form, the noun before and the complement, by idOf.
	objects, quantities *candidates
	relating            map[[3]uint32]*candidates
	acting              map[uint64]*candidates
	lists               map[*Candidate]*candidates
	// opposite are those that exclusions.tsv opposes to what stands in slots, by kind, doers and the
	// idOf a form and a complement.
	opposite map[[3]uint64]*candidates
	// choices are those of other candidates, by the ids of the list and of the word that
	// is replaced.
	choices map[uint64]*choices
	kept    int // words, and candidates of lists, beside those that are always there
}

type namedNoun struct {
	noun   *noun
	plural bool
	head   *headword
}

// headword is what the corpus says of a head: its attributes, the relations that
// have it as their object, and what it is seen with.
type headword struct {
	text                  string
	attributes, relations *candidates
	// ofSort are the attributes of all heads of its sorts, nil until they are asked for.
	ofSort *candidates
	partners
}

// maxKept bounds what words keeps, or all words together that share it; a word
// counts as much as wordSize candidates.
const (
	maxKept  = 1 << 22
	wordSize = 16
)

func newWords(vocab *vocabulary) *words {
	w := &words{lexicon: vocab.lexicon, inflect: vocab.inflect, vocab: vocab, apart: newApartness(), bound: maxKept}
	w.symmetricEnds, w.symmetricVerbs = symmetricWords()
	w.forget()
	return w
}

// forget begins anew.
func (w *words) forget() {
	w.lookups = lookups{
		nouns: map[string]*noun{}, names: map[uint64]namedNoun{}, heads: map[string]*headword{},
		relation: map[uint64]*relation{}, between: map[uint64]bool{}, keys: map[string]uint32{},
		properties: map[string]*property{}, verbs: map[string]*verb{}, actions: map[string]*action{}, uses: map[string]map[string]uint64{},
		relating: map[[3]uint32]*candidates{}, acting: map[uint64]*candidates{}, opposite: map[[3]uint64]*candidates{}, lists: map[*Candidate]*candidates{}, choices: map[uint64]*choices{},
	}
	w.objects = w.candidates(SlotObject, w.vocab.objects)
	w.quantities = w.candidates(SlotQuantity, w.vocab.list(CountQuantity))
	w.kept = 0
}

// nextID numbers a word that is kept from now on.
func (w *words) nextID() uint32 {
	w.kept += wordSize
	w.ids++
	return w.ids
}

// idOf is a hash of words in their order, which is taken for the words themselves
// as the ids of texts are.
func idOf(words ...string) uint64 {
	var id uint64
	for _, word := range words {
		id = mixed(id ^ xxhash.Sum64String(word))
	}
	return id
}

func (w *words) headword(head string) *headword {
	if h, ok := w.heads[head]; ok {
		return h
	}
	head = strings.Clone(head)
	h := &headword{
		text:       head,
		attributes: w.candidates(SlotAttribute, w.vocab.list(CountAttributeOf, head)),
		relations:  w.candidates(SlotRelation, withoutSlips(w.vocab.list(relationTo, head))),
	}
	if p := w.vocab.partners.heads[head]; p != nil {
		h.partners = *p
	}
	w.heads[head] = h
	return h
}

// candidates makes a list ready for a kind of slot.
func (w *words) candidates(kind SlotKind, list []Candidate) *candidates {
	w.kept += len(list)
	return &candidates{id: w.nextID(), kind: kind, list: list}
}

// listed are the candidates of a list of the vocabulary, which is asked for one
// kind of slot.
func (w *words) listed(kind SlotKind, list []Candidate) *candidates {
	if len(list) == 0 {
		return nil
	}
	l, ok := w.lists[&list[0]]
	if !ok {
		l = w.candidates(kind, list)
		w.lists[&list[0]] = l
	}
	return l
}

// relations are the candidates for a relation, of which key is the id, between two heads: what the corpus
// has there, or where it has few, or none that cannot hold too, what it has of the object.
func (w *words) relations(text string, key uint32, subject, object *headword) *candidates {
	if subject.id == 0 || object.id == 0 {
		return object.relations
	}
	id := [3]uint32{subject.id, object.id, key}
	l, ok := w.relating[id]
	if !ok {
		l = wider(w.candidates(SlotRelation, w.vocab.list(CountBetween, subject.text, object.text)), object.relations)
		original := w.relationOf(text, "")
		if !slices.ContainsFunc(l.list, func(c Candidate) bool { return w.relationsExclude(original, w.relationOf(c.Text, "")) }) {
			l = wider(&candidates{}, object.relations)
		}
		w.kept += wordSize
		w.relating[id] = l
	}
	return l
}

// act gives what a noun does with such a complement; where the corpus has few
// and no object follows, what it does with another one and any noun with this.
func (w *words) act(form, noun, complement string) *candidates {
	id := idOf(form, noun, complement)
	a, ok := w.acting[id]
	if !ok {
		common := w.common(form, complement)
		list := w.inForm(form, w.vocab.list(CountActionOf, form, noun, complement), common)
		if len(list) < few && complement != direct {
			list = w.inForm(form, common, withoutSlips(w.vocab.list(CountActionOf, form, noun, "")))
		}
		a = w.candidates(SlotAction, list)
		w.acting[id] = a
	}
	return a
}

// What is counted less than that is taken for a slip of a writer, tagger or
// parser: a verb with a complement by its share of all actions, and a relation by
// its share of those to an object ("wearing water").
const (
	seldom  = 1.0 / 15000
	slipped = 1.0 / 200
)

// total is the summed count of a list.
func total(list []Candidate) float64 {
	if len(list) == 0 {
		return 0
	}
	return float64(list[len(list)-1].Cum)
}

// often are those of a list, the most frequent first, that were counted at least
// min times.
func often(list []Candidate, min float64) []Candidate {
	i := 0
	for _, n := range counted(list) {
		if float64(n) < min {
			break
		}
		i++
	}
	return list[:i]
}

// counted gives the words of a list with their counts.
func counted(list []Candidate) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		last := uint64(0)
		for _, c := range list {
			if !yield(c.Text, c.Cum-last) {
				return
			}
			last = c.Cum
		}
	}
}

// those are the words of a list to keep.
func those(list []Candidate, keep func(word string, n uint64) bool) []Candidate {
	var kept []Candidate
	cum := uint64(0)
	for word, n := range counted(list) {
		if keep(word, n) {
			cum += n
			kept = append(kept, Candidate{word, cum})
		}
	}
	return kept
}

// withoutSlips are those of a list that it has more than once, if it has enough.
func withoutSlips(list []Candidate) []Candidate {
	if total(list) < enough {
		return list
	}
	return often(list, 2)
}

// enough is from which summed count on what a list has once is taken for a slip.
const enough = 100

// regular are the verbs of a list, which all have one complement, that have it in
// one of rarely uses at least.
func (w *words) regular(form string, list []Candidate) []Candidate {
	if w.uses[form] == nil {
		w.uses[form] = map[string]uint64{}
		for verb, n := range counted(w.vocab.list(CountAction, form)) {
			w.uses[form][verb] = n
			w.kept++
		}
	}
	return those(list, func(verb string, n uint64) bool { return n*rarely >= w.uses[form][verb] })
}

const rarely = 200

// inForm are the verbs of a list that another has too and that have the form that
// a tag says.
func (w *words) inForm(tag string, list, other []Candidate) []Candidate {
	return those(list, func(verb string, _ uint64) bool { return has(other, verb) && w.hasForm(tag, verb) })
}

// hasForm holds where a verb is inflected as a tag says: "nuzzle" is no VBN.
func (w *words) hasForm(tag, form string) bool {
	base := w.base(form)
	switch tag {
	case "VBG":
		return form != base && strings.HasSuffix(form, "ing")
	case "VBZ":
		return form == w.inflect.ThirdPerson(base)
	case "VBD", "VBN":
		return form != base || form == w.inflect.Past(base)
	}
	return form == base
}

// wider is the narrow list where it has a choice or is no shorter than the wide
// one, which may be nil.
func wider(narrow, wide *candidates) *candidates {
	if wide == nil || len(narrow.list) >= few || len(narrow.list) >= len(wide.list) {
		return narrow
	}
	return wide
}

// few is how many candidates a context must have for a wider one not to be
// asked.
const few = 8
