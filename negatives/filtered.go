package negatives

import (
	"slices"
	"strings"
	"unicode"
)

// filtered gives, of a list of candidates and the word that stands in the slot,
// those that can replace it: the same dimension and another value, or a relation
// or verb that excludes it.
type filtered struct {
	words *words
	any   bool
	// plausible asks what the corpus has beside an object.
	plausible bool
	weights   []uint64
}

// of gives the candidates of a list that can replace what stands in a slot; nil
// where there are none. Of objects they are all that may stand for any other.
func (f *filtered) of(s *slot, l *candidates) *choices {
	if l == nil || len(l.list) == 0 {
		return nil
	}
	if s.kind == SlotObject {
		if l.all == nil {
			f.read(l)
			var stands func(i int) bool
			if f.plausible {
				stands = func(i int) bool { n := l.things[i].noun; return isNoun(n) && !n.plural }
			}
			l.all = f.choices(l, stands)
		}
		return l.all
	}
	c, ok := l.others[s.id]
	if ok {
		return c
	}
	if l.back == nil {
		f.read(l)
	}
	if f.mayFit(s.kind, s.text) {
		c = f.choices(l, f.fits(l, s.text))
	}
	if l.others == nil {
		l.others = map[uint32]*choices{}
	}
	l.others[s.id] = c
	f.words.kept += wordSize
	return c
}

// choices gives those of a list that fit, or all.
func (f *filtered) choices(l *candidates, fits func(i int) bool) *choices {
	c := &choices{of: l}
	f.weights = f.weights[:0]
	for i := range l.list {
		if fits == nil {
			f.weights = append(f.weights, l.weight(i))
		} else if fits(i) {
			c.fit = append(c.fit, int32(i))
			f.weights = append(f.weights, l.weight(i))
		}
	}
	c.urn = newUrn(f.weights)
	f.words.kept += len(f.weights)
	return c
}

// suits is 1 where a thing goes with what is said of the object, else 0. Nothing
// predicts whether one does, so that nothing branches on it.
func (s *fitting) suits(t *thing) uint64 {
	if s.other == nil {
		return s.is(t.kind)
	}
	suits := uint64(1)
	if s.beside != nil {
		suits = s.beside.bit(t.head)
	}
	if s.misplaced != nil {
		suits &^= s.misplaced.bit(t.head)
	}
	related := s.related.bit(t.head)
	if s.acts {
		related &= s.acting.bit(t.head)
	}
	return suits & (s.is(t.kind) | related)
}

// is is 1 for the kind of the object, else 0.
func (s *fitting) is(k kind) uint64 { return (uint64(s.kind^k) - 1) >> 63 }

// fitting is what must hold of what stands for an object. Of the same kind as
// the object, the corpus has it at this end of some relation with what stands at the
// other end, or says too little of that; of another kind, it has it so in this
// class of relations, and if it is the subject of a verb, of that verb.
type fitting struct {
	any    bool // nothing must
	kind   kind
	other  *headword // nil where it stands in no relation, and only the kind must be the same
	beside headSet   // nil where the corpus says too little
	// related are the heads so related to other, and where the object acts, acting
	// those that do so too.
	related, acting *heads
	acts            bool
	// misplaced are those that hardly ever stand in such a place; nil where it is none.
	misplaced headSet
}

func (f *filtered) fitting(s *slot) fitting {
	if s.kind != SlotObject || !f.plausible {
		return fitting{any: true}
	}
	if s.other == nil {
		return fitting{kind: s.of}
	}
	others, other, class := f.words.vocab.partners.others, s.other.word, s.relation.class
	t := fitting{kind: s.of, other: other}
	if s.of == 0 || s.relation.key == "of" { // a roof of a house, but of no other building
		t.kind = noKind
	}
	if s.object {
		t.beside, t.related = other.objects, others[end{other.id, class, false}]
		t.misplaced = f.words.vocab.partners.misplaced[class]
		return t
	}
	t.beside, t.related = other.subjects, others[end{other.id, class, true}]
	t.acts, t.acting = s.relation.verb != "", others[end{0, s.relation.act, true}]
	return t
}

// mayFit is false where nothing can replace a word.
func (f *filtered) mayFit(kind SlotKind, word string) bool {
	if kind != SlotAttribute || f.any {
		return true
	}
	p := f.words.property(word)
	return len(p.core.values) > 0 || len(p.opposites) > 0
}

// read looks up the words of a list.
func (f *filtered) read(l *candidates) {
	if l.kind == SlotObject {
		l.things = make([]thing, len(l.list))
		if f.plausible {
			for i, c := range l.list {
				n := f.words.noun(c.Text)
				l.things[i] = thing{n, f.words.vocab.headID(c.Text), n.kind}
			}
		}
		return
	}
	l.back = make([]uint64, len(l.list))
	switch l.kind {
	case SlotAttribute:
		for _, c := range l.list {
			l.properties = append(l.properties, f.words.property(c.Text))
		}
	case SlotRelation:
		for _, c := range l.list {
			l.relations = append(l.relations, f.words.relationOf(c.Text, ""))
		}
	case SlotAction:
		for _, c := range l.list {
			l.actions = append(l.actions, f.words.action(c.Text))
		}
	}
}

// sum is the summed count of the candidates that can replace c.
func (f *filtered) sum(c choice) uint64 {
	l := c.of
	if l.back[c.at] > 0 {
		return l.back[c.at] - 1
	}
	var sum uint64
	fits := f.fits(l, c.text())
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
		return func(i int) bool { return l.actions[i].sayable && w.verbsExclude(a.verb, l.actions[i].verb) }
	}
	return func(i int) bool { return word != l.list[i].Text }
}

// noun gives the noun that a candidate for an object names.
func (f *filtered) noun(c choice) *noun {
	t := &c.of.things[c.at]
	if t.noun == nil {
		t.noun = f.words.noun(c.text())
	}
	return t.noun
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
	if contains(clauses, r.key[strings.LastIndexByte(r.key, ' ')+1:]) { // "running while a ball"
		return false
	}
	if r.place != nowhere && contains(transitive, r.verb) {
		return false
	}
	return r.key != "" && r.be && (r.verb != "" && (r.prep != "" || !placing(r.verb)) || r.verb == "" && r.place != nowhere)
}

// placing holds for verbs that say little without a preposition: no "standing a
// mountain".
func placing(verb string) bool {
	return slices.Contains(postures, verb) || contains(" put place set ", verb)
}

// action is a verb as it is inflected in a caption.
type action struct {
	*verb
	id           uint32
	form, gerund string
	sayable      bool
}

// action gives the verb of a form.
func (w *words) action(form string) *action {
	if a, ok := w.actions[form]; ok {
		return a
	}
	form = strings.Clone(form)
	v := w.verb(w.base(form))
	a := &action{v, w.nextID(), form, w.inflect.Gerund(v.base), sayable(form) && v.known() && !contains(misspelt, form)}
	w.actions[form] = a
	return a
}

// misspelt are forms that are mostly meant for others: for "sitting".
const misspelt = " setting siting "

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
	for _, b := range []string{w.inflect.Singular(form), strings.TrimSuffix(form, "es")} { // "sits", "goes"
		if w.lexicon.Verb(b) != nil {
			return b
		}
	}
	return strings.TrimSuffix(form, "s")
}
