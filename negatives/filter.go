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

// candidateFilter selects the candidates of a list that can replace the word in a slot: another value of the same
// dimension, or a relation or verb that excludes the word.
type candidateFilter struct {
	words    *words.Cache
	siblings siblings.Table
	// plausible is set if replacements must be plausible: if they come from the corpus.
	plausible bool
	lists     map[uint32]*candidateList // by words.Candidates.Id
	weights   []uint64                  // scratch memory
}

func newFilter(w *words.Cache, siblings siblings.Table, plausible bool) candidateFilter {
	return candidateFilter{words: w, siblings: siblings, plausible: plausible, lists: map[uint32]*candidateList{}}
}

// candidatesFor returns the candidates of a list that can replace the word in a slot, or nil. For an object in a
// relation these are all; for another object, those of the same sort or kind.
func (f *candidateFilter) candidatesFor(s *slot, proposed *words.Candidates) *choices {
	if proposed == nil || len(proposed.List) == 0 {
		return nil
	}
	l := f.listOf(proposed)
	if s.kind == slots.Object {
		return f.objectsFor(s, l)
	}
	key := choicesKey{word: s.id}
	c, ok := l.chosen[key]
	if ok {
		return c
	}
	if f.mayReplace(s.kind, s.text) {
		c = f.selectFitting(l, f.fitsWord(l, s.text))
	}
	l.chosen[key] = c
	f.words.Kept += words.WordSize
	return c
}

// objectsFor is candidatesFor for slots of objects.
func (f *candidateFilter) objectsFor(s *slot, l *candidateList) *choices {
	if l.all == nil {
		l.all = f.selectFitting(l, nil)
	}
	n := s.noun
	switch {
	case !f.plausible || s.other != nil:
		return l.all
	case n.Sorts != 0 || n.Implements != 0:
		return f.choose(l, choicesKey{sorts: n.Sorts, implements: n.Implements}, func(i int) bool { return words.MayReplaceAlone(l.nouns[i], n) })
	case s.of != 0:
		return f.choose(l, choicesKey{kind: s.of}, func(i int) bool { return l.things[i].kind == s.of })
	}
	return f.candidatesBelow(n, l)
}

// minBelow is the least number of nouns of a class that may replace another noun of it.
const minBelow = 3

// candidatesBelow returns the candidates of a list that are in one class of the lexicon with n: the smallest class with
// at least minBelow others. So "a plate" does not replace "an event", and "a post card" gets more than "a greeting
// card". It returns nil if there is no such class.
func (f *candidateFilter) candidatesBelow(n *words.Noun, l *candidateList) *choices {
	for _, over := range n.Kinds {
		c := f.choose(l, choicesKey{over: over}, func(i int) bool { return l.things[i].kind == 0 && slices.Contains(l.nouns[i].Kinds, over) })
		others := 0
		for _, i := range c.fit {
			if !words.SameThing(l.nouns[i], n) {
				others++
			}
			if others == minBelow {
				return c
			}
		}
	}
	return nil
}

// fits reports whether a candidate fits the relation and the noun at its other end.
func (s *fitting) fits(t thing) bool {
	if s.beside != nil && !s.beside.Has(t.head) || s.misplaced.Has(t.head) || s.never>>t.kind&1 != 0 {
		return false
	}
	if t.kind == s.kind {
		return !s.active || s.acting.Has(t.head)
	}
	return s.related.Has(t.head) && (!s.acts || s.acting.Has(t.head))
}

// fitting describes which nouns may fill the slot of an object in a relation. A noun of the same kind as the original
// fits if the corpus relates it to the noun at the other end, or has too few relations to tell. If the object acts in a
// way that not all of its kind do, the noun must do so too: no "beach flowing to a sea". A noun of another kind fits
// only if the corpus has it in this class of relations and, as the subject of a verb, with that verb.
type fitting struct {
	any    bool // every noun fits
	kind   truth.Kind
	beside vocabulary.HeadSet // heads that the corpus relates to the other noun; nil if it has too few
	// related are the heads that the corpus has in this class of relations with the other noun; acting are those that
	// it has with the verb. acts is set if the slot is the subject of a verb.
	related, acting *vocabulary.Heads
	acts            bool
	// active is set if not all things of the object's kind can do what the verb says.
	active bool
	// misplaced are the heads that are hardly ever in the place that the relation gives; nil if it gives none.
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

// mayReplace reports whether anything can replace a word.
func (f *candidateFilter) mayReplace(kind slots.Kind, word string) bool {
	if kind != slots.Attribute {
		return true
	}
	return f.words.Property(word).MayBeReplaced()
}

// sumOfCounts returns the sum of the counts of the candidates in c's list that can replace c.
func (f *candidateFilter) sumOfCounts(c choice) uint64 {
	l := c.of
	if l.sums[c.at] > 0 {
		return l.sums[c.at] - 1
	}
	var sum uint64
	fits := f.fitsWord(l, c.text())
	for i := range l.list {
		if fits(i) {
			sum += l.weight(i)
		}
	}
	l.sums[c.at] = sum + 1
	return sum
}

// fitsWord returns a function that reports whether candidate i of a list can replace word.
func (f *candidateFilter) fitsWord(l *candidateList, word string) func(i int) bool {
	w := f.words
	switch l.kind {
	case slots.Attribute:
		a := w.Property(word)
		return func(i int) bool { return w.AttributesExclude(a, l.properties[i]) }
	case slots.Quantity:
		if word == grammar.JustOne {
			return func(i int) bool { return len(w.Lexicon.Values(l.list[i].Text)) > 0 }
		}
		return func(i int) bool { return w.Lexicon.AreExclusive(word, l.list[i].Text) }
	case slots.Relation:
		a := w.RelationOf(word, "")
		return func(i int) bool {
			b := l.relations[i]
			return b.Replaces && a.DiffersInOne(b) && (w.Opposed(a, b, l.of) || !l.opposite && w.RelationsExclude(a, b) && (w.Apart.Excludes(a.Place, b.Place) || f.siblings.Apart(a.Called(), b.Called())))
		}
	case slots.Action:
		a := w.Action(word)
		return func(i int) bool {
			b := l.actions[i]
			return b.Sayable && (a.Opposed(b.Verb, l.of) || !l.opposite && w.VerbsExclude(a.Verb, b.Verb) && f.siblings.Apart(a.Base, b.Base))
		}
	}
	return func(i int) bool { return word != l.list[i].Text }
}

// nounOf returns the noun of a candidate for an object.
func (f *candidateFilter) nounOf(c choice) *words.Noun {
	n := &c.of.nouns[c.at]
	if *n == nil {
		*n = f.words.Noun(c.text())
	}
	return *n
}

// minNaturalCount is how often the corpus must have a colour with a noun whose colours are natural, such as a fruit.
const minNaturalCount = 2

// mayHaveAttribute reports whether a noun can have the attribute that was drawn for it.
func (f *candidateFilter) mayHaveAttribute(n *words.Noun, c choice) bool {
	p := c.property().Core
	switch {
	case p.Age && n.Kind == truth.People:
		return n.Age != 'c' && wordclass.Has(peopleAges, p.Text)
	case p.Age && n.Kind != truth.Animals:
		return !wordclass.Has(livingAges, p.Text)
	case p.Size:
		return n.Kind != truth.People && !wordclass.Has(words.Pictures, n.Head)
	case p.Colour && truth.Natural(n.Kind) && f.plausible:
		return hasNaturalColour(n.Word.Attributes.List, c.text())
	}
	return true
}

// rejectSample reports whether a drawn candidate is not used. An object is rejected if it is the word of the slot
// itself, since objects are drawn from the whole list. Other candidates are drawn from those that can replace the word
// a, with counts that sum to Z(a): b is accepted with the probability min(1, Z(a)/Z(b)).
func (f *candidateFilter) rejectSample(list *choices, c choice, s *slot, r *random) bool {
	if s.kind == slots.Object {
		return f.nounOf(c) == s.noun
	}
	back := f.sumOfCounts(c)
	return back > list.urn.Total && r.Next()%back >= list.urn.Total
}
