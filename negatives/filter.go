package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/siblings"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// candidateFilter selects, from a list of candidates, those that can replace the word in a slot:
// the same dimension and another value, or a relation or verb that excludes it.
type candidateFilter struct {
	words    *words.Cache
	siblings siblings.Table
	// plausible asks what the corpus has beside an object.
	plausible bool
	weights   []uint64
}

// candidatesFor returns the candidates of a list that can replace the word in a slot; nil if there
// are none. For objects they are all candidates, or those of the same sort or kind if the object is
// in no relation.
func (f *candidateFilter) candidatesFor(s *slot, l *words.Candidates) *words.Choices {
	if l == nil || len(l.List) == 0 {
		return nil
	}
	if s.kind == slots.Object {
		return f.objectsFor(s, l)
	}
	id := uint64(l.Id)<<32 | uint64(s.id)
	c, ok := f.words.Choices[id]
	if ok {
		return c
	}
	if l.Back == nil {
		f.readWords(l)
	}
	if f.mayReplace(s.kind, s.text) {
		c = f.selectFitting(l, f.fitsWord(l, s.text))
	}
	f.words.Choices[id] = c
	f.words.Kept += words.WordSize
	return c
}

// objectsFor is candidatesFor for slots of objects.
func (f *candidateFilter) objectsFor(s *slot, l *words.Candidates) *words.Choices {
	if l.All == nil {
		f.readObjects(l)
		l.All = f.selectFitting(l, nil)
	}
	if !f.plausible || s.other != nil {
		return l.All
	}
	if s.noun.Sorts != 0 || s.noun.Implements != 0 {
		return f.candidatesOfSort(s.noun, l)
	}
	if s.of == 0 {
		return f.candidatesBelow(s.noun, l)
	}
	if l.Kinds == nil {
		l.Kinds = make([]*words.Choices, truth.KindCount)
	}
	if l.Kinds[s.of] == nil {
		l.Kinds[s.of] = f.selectFitting(l, func(i int) bool { return l.Things[i].Kind == s.of })
	}
	return l.Kinds[s.of]
}

// candidatesOfSort returns the candidates of a list that may replace a noun that is in no relation.
func (f *candidateFilter) candidatesOfSort(n *words.Noun, l *words.Candidates) *words.Choices {
	if l.Sorts == nil {
		l.Sorts = map[words.Sort]*words.Choices{}
	}
	of := words.Sort{Rows: n.Sorts, Implements: n.Implements}
	c, ok := l.Sorts[of]
	if !ok {
		c = f.selectFitting(l, func(i int) bool { return words.MayReplaceAlone(l.Nouns[i], n) })
		l.Sorts[of] = c
	}
	return c
}

// minBelow is how many nouns of a class may replace another at least.
const minBelow = 3

// candidatesBelow returns the candidates of a list in the smallest class of the lexicon with at
// least minBelow nouns that exclude the replaced noun: no "plate" for "an event", and not only a
// "greeting card" for "a post card". It returns nil for a noun in no class.
func (f *candidateFilter) candidatesBelow(n *words.Noun, l *words.Candidates) *words.Choices {
	if l.Sorts == nil {
		l.Sorts = map[words.Sort]*words.Choices{}
	}
	for _, over := range n.Kinds {
		of := words.Sort{Over: over}
		c, ok := l.Sorts[of]
		if !ok {
			c = f.selectFitting(l, func(i int) bool { return l.Things[i].Kind == 0 && slices.Contains(l.Nouns[i].Kinds, over) })
			l.Sorts[of] = c
		}
		others := 0
		for _, i := range c.Fit {
			if !words.SameThing(l.Nouns[i], n) {
				others++
			}
			if others == minBelow {
				return c
			}
		}
	}
	return nil
}

// selectFitting returns the candidates of a list that fit; all if fits is nil.
func (f *candidateFilter) selectFitting(l *words.Candidates, fits func(i int) bool) *words.Choices {
	c := &words.Choices{Of: l}
	f.weights = f.weights[:0]
	for i := range l.List {
		if fits == nil {
			f.weights = append(f.weights, l.Weight(i))
		} else if fits(i) {
			c.Fit = append(c.Fit, int32(i))
			f.weights = append(f.weights, l.Weight(i))
		}
	}
	c.Urn = vocabulary.NewUrn(f.weights)
	f.words.Kept += len(f.weights)
	return c
}

// fits reports whether a thing fits the rest of the object.
func (s *fitting) fits(t words.Thing) bool {
	if s.beside != nil && !s.beside.Has(t.Head) || s.misplaced.Has(t.Head) || s.never>>t.Kind&1 != 0 {
		return false
	}
	if t.Kind == s.kind {
		return !s.active || s.acting.Has(t.Head)
	}
	return s.related.Has(t.Head) && (!s.acts || s.acting.Has(t.Head))
}

// fitting describes which nouns may fill an object's slot. A noun of the same kind fits if the
// corpus relates it to the noun at the other end, or has too few relations to tell; if things do
// something there, it must do so too: no "beach flowing to a sea". A noun of another kind fits only
// if the corpus has it in this class of relations, and, as the subject of a verb, with that verb.
type fitting struct {
	any    bool // nothing must
	kind   truth.Kind
	beside vocabulary.HeadSet // nil if the corpus says too little
	// related are the heads so related to the other, and where the object acts, acting
	// those that do so too.
	related, acting *vocabulary.Heads
	acts            bool
	// active reports whether the object does what not all of its kind do.
	active bool
	// misplaced are the heads that are hardly ever in such a place; nil if it is no place.
	misplaced vocabulary.HeadSet
	// never has a bit for each kind that may not fill the slot.
	never uint32
}

func (f *candidateFilter) fitting(s *slot) fitting {
	if s.kind != slots.Object || !f.plausible || s.other == nil {
		return fitting{any: true}
	}
	other, class := &s.other.Word.Partners, s.relation.Class
	t := fitting{kind: s.of}
	if s.of == 0 || s.relation.Key == "of" { // a roof of a house, but of no other building
		t.kind = truth.NoKind
	}
	switch t.never = s.excludedKinds() | 1<<truth.Weather; {
	case s.of == truth.Weather:
		t.never = ^uint32(1 << truth.Weather)
	case s.of != truth.Media && s.object && (s.relation.Place == truth.On || s.relation.Place == truth.In):
		t.never |= 1 << truth.Media
	}
	t.related = other.Related(vocabulary.EndOf(class, !s.object))
	if s.object {
		t.beside, t.misplaced = other.Objects, s.relation.Misplaced
	} else {
		t.beside, t.acts, t.acting = other.Subjects, s.relation.Verb != "", s.relation.Acting
		t.active = t.acts && s.relation.Gerund && !truth.SelfMoving(s.of)
	}
	return t
}

// mayReplace reports false if nothing can replace a word.
func (f *candidateFilter) mayReplace(kind slots.Kind, word string) bool {
	if kind != slots.Attribute {
		return true
	}
	return f.words.Property(word).MayBeReplaced()
}

// readObjects looks up the nouns of a list, and leaves out those that may stand
// for no other.
func (f *candidateFilter) readObjects(l *words.Candidates) {
	if !f.plausible {
		l.Nouns = make([]*words.Noun, len(l.List))
		return
	}
	l.List = vocabulary.Those(l.List, func(word string, _ uint64) bool {
		n := f.words.Noun(word)
		if !words.IsNoun(n) || n.Plural || f.words.IsRareCompound(n) {
			return false
		}
		l.Nouns, l.Things = append(l.Nouns, n), append(l.Things, f.words.Thing(n))
		return true
	})
	f.words.Kept += len(l.List)
}

// readWords looks up the words of a list that is not of objects.
func (f *candidateFilter) readWords(l *words.Candidates) {
	l.Back = make([]uint64, len(l.List))
	switch l.Kind {
	case slots.Attribute:
		for _, c := range l.List {
			l.Properties = append(l.Properties, f.words.Property(c.Text))
		}
	case slots.Relation:
		for _, c := range l.List {
			l.Relations = append(l.Relations, f.words.RelationOf(c.Text, ""))
		}
	case slots.Action:
		for _, c := range l.List {
			l.Actions = append(l.Actions, f.words.Action(c.Text))
		}
	}
}

// sumOfCounts is the summed count of the candidates that can replace c.
func (f *candidateFilter) sumOfCounts(c words.Choice) uint64 {
	l := c.Of
	if l.Back[c.At] > 0 {
		return l.Back[c.At] - 1
	}
	var sum uint64
	fits := f.fitsWord(l, c.Text())
	for i := range l.List {
		if fits(i) {
			sum += l.Weight(i)
		}
	}
	l.Back[c.At] = sum + 1
	return sum
}

// fitsWord returns a function that reports whether candidate i can replace word.
func (f *candidateFilter) fitsWord(l *words.Candidates, word string) func(i int) bool {
	w := f.words
	switch l.Kind {
	case slots.Attribute:
		a := w.Property(word)
		return func(i int) bool { return w.AttributesExclude(a, l.Properties[i]) }
	case slots.Quantity:
		if word == grammar.JustOne {
			return func(i int) bool { return len(w.Lexicon.Values(l.List[i].Text)) > 0 }
		}
		return func(i int) bool { return w.Lexicon.AreExclusive(word, l.List[i].Text) }
	case slots.Relation:
		a := w.RelationOf(word, "")
		return func(i int) bool {
			b := l.Relations[i]
			return b.Replaces && a.DiffersInOne(b) && (w.Opposed(a, b, l.Of) || !l.Opposite && w.RelationsExclude(a, b) && (w.Apart.Excludes(a.Place, b.Place) || f.siblings.Apart(a.Called(), b.Called())))
		}
	case slots.Action:
		a := w.Action(word)
		return func(i int) bool {
			b := l.Actions[i]
			return b.Sayable && (a.Opposed(b.Verb, l.Of) || !l.Opposite && w.VerbsExclude(a.Verb, b.Verb) && f.siblings.Apart(a.Base, b.Base))
		}
	}
	return func(i int) bool { return word != l.List[i].Text }
}

// nounOf returns the noun of a candidate for an object.
func (f *candidateFilter) nounOf(c words.Choice) *words.Noun {
	n := &c.Of.Nouns[c.At]
	if *n == nil {
		*n = f.words.Noun(c.Text())
	}
	return *n
}

// minNaturalCount is how often the corpus must have a colour of what has its colours
// from nature.
const minNaturalCount = 2

// mayHaveAttribute reports whether a noun can have the attribute that was chosen for it.
func (f *candidateFilter) mayHaveAttribute(n *words.Noun, c words.Choice) bool {
	p := c.Of.Properties[c.At].Core
	switch {
	case p.Age && n.Kind == truth.People:
		return n.Age != 'c' && wordclass.Has(peopleAges, p.Text)
	case p.Age && n.Kind != truth.Animals:
		return !wordclass.Has(livingAges, p.Text)
	case p.Size:
		return n.Kind != truth.People && !wordclass.Has(words.Pictures, n.Head)
	case p.Colour && truth.Natural(n.Kind) && f.plausible:
		return hasNaturally(n.Word.Attributes.List, c.Text())
	}
	return true
}

// rejectSample reports whether a candidate that was drawn for the word of a slot is
// not taken. Objects are drawn from all of a list, the word itself among them,
// which is no negative. Of others only those are drawn that can replace the word
// a, whose counts add up to Z(a): b is taken with the probability min(1, Z(a)/Z(b)).
func (f *candidateFilter) rejectSample(list *words.Choices, c words.Choice, s *slot, r *random) bool {
	if s.kind == slots.Object {
		return f.nounOf(c) == s.noun
	}
	back := f.sumOfCounts(c)
	return back > list.Urn.Total && r.Next()%back >= list.Urn.Total
}
