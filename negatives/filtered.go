package negatives

import (
	"strings"
	"unicode"
)

// filtered keeps, for a list of candidates and the word that stands in the slot,
// those that can replace it: the same dimension and another value, or a relation
// or verb that excludes it.
type filtered struct {
	words *words
	any   bool
	lists map[listKey]*candidates
	kept  int // words of all lists and choices
}

type listKey struct {
	list *Candidate
	kind SlotKind
}

// maxFiltered bounds the words of the lists and the choices that are kept: at that
// many they start anew.
const maxFiltered = 1 << 20

// of gives the candidates of list that can replace what stands in a slot.
func (f *filtered) of(s *slot, list []Candidate) choices {
	if len(list) == 0 {
		return choices{}
	}
	l := f.candidates(s.Kind, list)
	if s.Kind == SlotObject {
		c := choices{of: l, z: l.total()}
		if at := l.place(s.Text); at >= 0 {
			c.z -= l.weight(at)
		}
		return c
	}
	if c, ok := l.choices[s.id]; ok {
		return c
	}
	c := choices{of: l}
	if f.mayFit(s.Kind, s.Text) {
		fits := f.fits(l, s.Text)
		for i := range list {
			if fits(i) {
				c.z += l.weight(i)
				c.fit = append(c.fit, fitting{i, c.z})
			}
		}
	}
	l.choices[s.id] = c
	f.kept += len(c.fit) + entryWords
	return c
}

// candidates gives a list with what is known of its words.
func (f *filtered) candidates(kind SlotKind, list []Candidate) *candidates {
	key := listKey{&list[0], kind}
	if l, ok := f.lists[key]; ok {
		return l
	}
	if f.kept >= maxFiltered {
		clear(f.lists)
		f.kept = 0
	}
	l := f.newCandidates(kind, list)
	f.lists[key] = l
	f.kept += len(list) + entryWords
	return l
}

// entryWords is what an entry of a map takes, in words of a list.
const entryWords = 8

// mayFit is false where nothing can replace a word.
func (f *filtered) mayFit(kind SlotKind, word string) bool {
	if kind != SlotAttribute || f.any {
		return true
	}
	p := f.words.property(word)
	return len(p.core.values) > 0 || len(p.opposites) > 0
}

func (f *filtered) newCandidates(kind SlotKind, list []Candidate) *candidates {
	l := &candidates{kind: kind, list: list, choices: map[uint32]choices{}}
	if kind == SlotObject {
		l.nouns = make([]*noun, len(list))
		if len(list) > maxCandidates {
			l.index = make(map[string]int, len(list))
			for i, c := range list {
				l.index[c.Text] = i
			}
		}
		return l
	}
	l.back = make([]uint64, len(list))
	switch kind {
	case SlotAttribute:
		for _, c := range list {
			l.properties = append(l.properties, f.words.property(c.Text))
		}
	case SlotRelation:
		for _, c := range list {
			l.relations = append(l.relations, f.words.relationOf(c.Text, ""))
		}
	case SlotAction:
		for _, c := range list {
			l.actions = append(l.actions, f.words.action(c.Text))
		}
	}
	return l
}

// sum is the summed count of the candidates that can replace c. Of objects, these
// are taken to be all but the word itself.
func (f *filtered) sum(c choice) uint64 {
	l := c.of
	if l.kind == SlotObject {
		return l.total() - l.weight(c.at)
	}
	if l.back[c.at] > 0 {
		return l.back[c.at] - 1
	}
	var sum uint64
	fits := f.fits(l, c.text)
	for i := range l.list {
		if fits(i) {
			sum += l.weight(i)
		}
	}
	l.back[c.at] = sum + 1
	return sum
}

// fits gives a function that holds where candidate i can stand for word.
func (f *filtered) fits(l *candidates, word string) func(i int) bool {
	w := f.words
	switch l.kind {
	case SlotAttribute:
		a := w.property(word)
		return func(i int) bool { return w.attributesExclude(a, l.properties[i], f.any) }
	case SlotQuantity:
		return func(i int) bool { return w.lexicon.Exclude(word, l.list[i].Text) }
	case SlotRelation:
		a := w.relationOf(word, "")
		return func(i int) bool { return l.relations[i].replaces && w.relationsExclude(a, l.relations[i]) }
	case SlotAction:
		a := w.action(word)
		return func(i int) bool { return l.actions[i].sayable && w.verbsExclude(a, l.actions[i]) }
	}
	return func(i int) bool { return word != l.list[i].Text }
}

// noun gives the noun that a candidate for an object names.
func (f *filtered) noun(c choice) *noun {
	n := &c.of.nouns[c.at]
	if *n == nil {
		*n = f.words.noun(c.text)
	}
	return *n
}

// sayable holds for words of letters, digits, hyphens and apostrophes with single
// spaces between them.
func sayable(s string) bool {
	space := true // an apostrophe or a space may not follow one
	for _, r := range s {
		switch {
		case r == ' ' || r == '\'':
			if space {
				return false
			}
			space = r == ' '
		case r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			space = false
		default:
			return false
		}
	}
	return !space
}

// replaceable holds for relations that say enough to be put in another's place.
func replaceable(r *relation) bool {
	return r.key != "" && r.be && (r.verb != "" || r.place != nowhere)
}

// action is the verb of a form as it is inflected in a caption.
func (w *words) action(form string) *verb {
	if v, ok := w.actions[form]; ok {
		return v
	}
	form = strings.Clone(form)
	v := w.verb(w.base(form))
	v = &verb{base: v.base, anytime: v.anytime, alike: v.alike, with: v.with, others: v.others, senses: v.senses, kinds: v.kinds, sayable: sayable(form), id: w.nextID(), form: form, gerund: w.inflect.Gerund(v.base)}
	if len(w.actions) >= maxWords {
		clear(w.actions)
	}
	w.actions[form] = v
	return v
}

// base is the base form of a verb as it is inflected in a caption.
func (w *words) base(form string) string {
	if w.lexicon.Verb(form) != nil && !strings.HasSuffix(form, "ing") && !strings.HasSuffix(form, "ed") {
		if _, irregular := w.inflect.IrregularBase(form); !irregular {
			return form
		}
	}
	if b, ok := baseForm(w.lexicon, w.inflect, form); ok {
		return b
	}
	if b := w.inflect.Singular(form); w.lexicon.Verb(b) != nil { // "sits"
		return b
	}
	return strings.TrimSuffix(form, "s")
}
