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
	words    *words
	siblings siblings
	any      bool
	// plausible asks what the corpus has beside an object.
	plausible bool
	weights   []uint64
}

// of gives the candidates of a list that can replace what stands in a slot; nil
// where there are none. Of objects they are all that may stand for any other, or
// for one of the sort or the kind where it is in no relation.
func (f *filtered) of(s *slot, l *candidates) *choices {
	if l == nil || len(l.list) == 0 {
		return nil
	}
	if s.kind == SlotObject {
		return f.objects(s, l)
	}
	id := uint64(l.id)<<32 | uint64(s.id)
	c, ok := f.words.choices[id]
	if ok {
		return c
	}
	if l.back == nil {
		f.read(l)
	}
	if f.mayFit(s.kind, s.text) {
		c = f.choices(l, f.fits(l, s.text))
	}
	f.words.choices[id] = c
	f.words.kept += wordSize
	return c
}

// objects is of for slots of objects.
func (f *filtered) objects(s *slot, l *candidates) *choices {
	if l.all == nil {
		f.readObjects(l)
		l.all = f.choices(l, nil)
	}
	if !f.plausible || s.other != nil {
		return l.all
	}
	if s.noun.sorts != 0 {
		return f.ofSort(s.noun, l)
	}
	if l.kinds == nil {
		l.kinds = make([]*choices, kindCount)
	}
	if l.kinds[s.of] == nil {
		l.kinds[s.of] = f.choices(l, func(i int) bool { return l.things[i].kind == s.of })
	}
	return l.kinds[s.of]
}

// ofSort gives those of a list that are of one sort with a noun.
func (f *filtered) ofSort(n *noun, l *candidates) *choices {
	if l.sorts == nil {
		l.sorts = map[uint64]*choices{}
	}
	c, ok := l.sorts[n.sorts]
	if !ok {
		c = f.choices(l, func(i int) bool { return ofOneSort(l.nouns[i], n) })
		l.sorts[n.sorts] = c
	}
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

// suits holds where a thing goes with what is said of the object.
func (s *fitting) suits(t thing) bool {
	if s.beside != nil && !s.beside.has(t.head) || s.misplaced.has(t.head) || s.never>>t.kind&1 != 0 {
		return false
	}
	if t.kind == s.kind {
		return !s.active || s.acting.has(t.head)
	}
	return s.related.has(t.head) && (!s.acts || s.acting.has(t.head))
}

// fitting is what must hold of what stands for an object. Of the same kind as
// the object, the corpus has it at this end of some relation with what stands at the
// other end, or says too little of that, and where a thing does something, it has this do
// so too: no "beach flowing to a sea". Of another kind, it has it so in this
// class of relations, and if it is the subject of a verb, of that verb.
type fitting struct {
	any    bool // nothing must
	kind   kind
	beside headSet // nil where the corpus says too little
	// related are the heads so related to the other, and where the object acts, acting
	// those that do so too.
	related, acting *heads
	acts            bool
	// active holds where the object does what not all of its kind do.
	active bool
	// misplaced are those that hardly ever stand in such a place; nil where it is none.
	misplaced headSet
	// never has a bit of each kind that does not stand there.
	never uint32
}

// never are the kinds of what does not stand in the slot: no place or fabric for the
// clothes that somebody is in nor the reverse, nobody with a house, nobody on a pizza or in a hand,
// nobody and no small thing with what a room has, only plants and animals with a branch, nothing with somebody's hair, nothing of another kind on
// an occasion. Weather stands for weather alone, and nothing is in what shows it (fitting).
func (s *slot) never() uint32 {
	only := func(k kind) uint32 { return ^(1 << k) }
	r := s.relation
	switch {
	case !s.object && (s.other.kind == weather || contains(occasions, s.other.head)):
		return only(s.of)
	case !s.object && r.place == in && s.other.head == "hair":
		return only(clothing) & only(plants) & only(0)
	case !s.object && (r.place == on || r.place == in) && s.of != people && contains(" arm hand lap mouth ", s.other.head):
		return 1 << people
	case s.object && s.other.alive() && r.place == in && s.of == clothing:
		return only(clothing)
	case s.object && s.other.alive() && r.place == in:
		return 1 << clothing
	case s.object && s.other.alive() && r.prep == "with":
		return 1<<furniture | 1<<structures | 1<<interiors | 1<<openings | 1<<land | 1<<ways | 1<<water
	case s.object && r.place == on && s.of == food: // which is on a table itself
		return 1 << furniture
	case !s.object && r.key == "with" && contains(" branch leaf trunk root petal ", s.other.head):
		return only(plants) & only(animals)
	case !s.object && r.key == "with" && s.of != people && s.of != animals && (s.other.kind == furniture || s.other.size() == vast || contains(fixtures, s.other.head)):
		if s.of.size() == vast { // no plate has what a room has
			return 1<<people | 1<<animals | 1<<food | 1<<body | 1<<clothing | 1<<0
		}
		return 1<<people | 1<<animals
	case !s.object && r.key == "with" && (s.of == people || s.of == animals) && s.other.kind == body:
		return only(people) & only(animals)
	case !s.object && (r.place == on || r.place == in) && (s.other.kind == food || contains(dishes, s.other.head)):
		return 1 << people
	}
	return 0
}

// occasions are heads of when something is, or of all that there is beside it.
var occasions = times + " background scene spring summer autumn fall winter night monday tuesday wednesday thursday friday saturday sunday "

func (f *filtered) fitting(s *slot) fitting {
	if s.kind != SlotObject || !f.plausible || s.other == nil {
		return fitting{any: true}
	}
	other, class := &s.other.word.partners, s.relation.class
	t := fitting{kind: s.of}
	if s.of == 0 || s.relation.key == "of" { // a roof of a house, but of no other building
		t.kind = noKind
	}
	switch t.never = s.never() | 1<<weather; {
	case s.of == weather:
		t.never = ^uint32(1 << weather)
	case s.of != media && s.object && (s.relation.place == on || s.relation.place == in):
		t.never |= 1 << media
	}
	t.related = other.related(endOf(class, !s.object))
	if s.object {
		t.beside, t.misplaced = other.objects, s.relation.misplaced
	} else {
		t.beside, t.acts, t.acting = other.subjects, s.relation.verb != "", s.relation.acting
		t.active = t.acts && s.relation.gerund && !selfMoving(s.of)
	}
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

// readObjects looks up the nouns of a list, and leaves out those that may stand
// for no other.
func (f *filtered) readObjects(l *candidates) {
	if !f.plausible {
		l.nouns = make([]*noun, len(l.list))
		return
	}
	l.list = those(l.list, func(word string, _ uint64) bool {
		n := f.words.noun(word)
		if !isNoun(n) || n.plural {
			return false
		}
		l.nouns, l.things = append(l.nouns, n), append(l.things, f.words.thing(n))
		return true
	})
	f.words.kept += len(l.list)
}

// read looks up the words of a list that is not of objects.
func (f *filtered) read(l *candidates) {
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
		if word == justOne {
			return func(i int) bool { return len(w.lexicon.Values(l.list[i].Text)) > 0 }
		}
		return func(i int) bool { return w.lexicon.Exclude(word, l.list[i].Text) }
	case SlotRelation:
		a := w.relationOf(word, "")
		return func(i int) bool {
			b := l.relations[i]
			return b.replaces && (w.opposed(a, b, l.of) || !l.opposite && w.relationsExclude(a, b) && (w.apart.excludes(a.place, b.place) || f.siblings.apart(a.called(), b.called())))
		}
	case SlotAction:
		a := w.action(word)
		return func(i int) bool {
			b := l.actions[i]
			return b.sayable && (a.opposed(b.verb, l.of) || !l.opposite && w.verbsExclude(a.verb, b.verb) && f.siblings.apart(a.base, b.base))
		}
	}
	return func(i int) bool { return word != l.list[i].Text }
}

// noun gives the noun that a candidate for an object names.
func (f *filtered) noun(c choice) *noun {
	n := &c.of.nouns[c.at]
	if *n == nil {
		*n = f.words.noun(c.text())
	}
	return *n
}

// sayable holds for words of letters, digits, hyphens and apostrophes with single
// spaces between them, none of which comes twice running: no "fire fire truck".
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
	words := strings.Fields(s)
	return !space && len(slices.Compact(words)) == len(words)
}

// replaceable holds for relations that say enough to be put in another's place.
func replaceable(r *relation) bool {
	if form, _ := cut(r.key); contains(misspelt, form) || contains(clauses, r.key[strings.LastIndexByte(r.key, ' ')+1:]) { // "running while a ball"
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
	return contains(postures, verb) || contains(" put place set ", verb)
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
