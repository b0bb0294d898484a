package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// statedTrait is an attribute or the quantity of an object, statedRelation a relation between two
// in its canonical form.
type (
	statedTrait struct {
		of       *words.Noun
		is       string
		quantity bool
	}
	statedRelation struct {
		subject, object *words.Noun
		is              string
	}
)

// statements are what a graph says, in the order in which the text does. An object is known by its
// name alone.
type statements struct {
	things    []*words.Noun
	traits    []statedTrait
	relations []statedRelation
	// many are the things that are in the plural.
	many []*words.Noun
}

// read makes s what a graph says.
func (s *statements) read(w *words.Cache, g *schemas.SceneGraph) {
	s.things, s.traits, s.relations, s.many = s.things[:0], s.traits[:0], s.relations[:0], s.many[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		n := w.Object(o)
		s.things = append(s.things, n.Noun)
		if n.Plural {
			s.many = append(s.many, n.Noun)
		}
		for _, a := range o.Attributes {
			s.traits = append(s.traits, statedTrait{n.Noun, a.Text, false})
		}
		if o.Quantity != "" {
			s.traits = append(s.traits, statedTrait{n.Noun, o.Quantity, true})
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		s.relations = append(s.relations, statedRelation{s.things[r.Subject], s.things[r.Object], w.RelationOf(r.Predicate, r.Lemma).Key})
	}
}

// difference is what one graph says and another does not.
type difference struct {
	gone, come statements
	// traded are the two things that stand at each other's place, where all others stand
	// as they did; nil if there are none.
	traded [2]*words.Noun
}

// read makes d the difference between two graphs.
func (d *difference) read(before, after *statements) {
	d.gone.things, d.come.things = symmetricDifference(before.things, after.things)
	d.gone.traits, d.come.traits = symmetricDifference(before.traits, after.traits)
	d.gone.relations, d.come.relations = symmetricDifference(before.relations, after.relations)
	d.gone.many, d.come.many = before.many, after.many
	d.traded = findTraded(before.things, after.things)
}

// findTraded are the two things that trade places from one list to the other.
func findTraded(before, after []*words.Noun) (two [2]*words.Noun) {
	at := -1
	for i := range min(len(before), len(after)) {
		switch {
		case before[i] == after[i]:
		case at < 0:
			at = i
		case two == [2]*words.Noun{} && before[i] == after[at] && before[at] == after[i]:
			two = [2]*words.Noun{before[at], before[i]}
		default:
			return [2]*words.Noun{}
		}
	}
	return two
}

// isEmpty reports whether they say the same.
func (d *difference) isEmpty() bool { return d.gone.isEmpty() && d.come.isEmpty() }

func (s *statements) isEmpty() bool { return len(s.things)+len(s.traits)+len(s.relations) == 0 }

// symmetricDifference are the members of a and of b that the other does not have, each as often as it
// has it more.
func symmetricDifference[T comparable](a, b []T) (onlyA, onlyB []T) {
	left := make(map[T]int, len(b))
	for _, x := range b {
		left[x]++
	}
	for _, x := range a {
		if left[x] > 0 {
			left[x]--
		} else {
			onlyA = append(onlyA, x)
		}
	}
	for _, x := range b {
		if left[x] > 0 {
			left[x]--
			onlyB = append(onlyB, x)
		}
	}
	return onlyA, onlyB
}

// changesOnly reports whether a revision, which makes that difference, is a change of a type and of
// nothing else: the words that differ are those of what is replaced, moved or new. All others are
// the caption's own, so that relations which the parser attaches otherwise are no change.
func (d *difference) changesOnly(kind string, w *words.Cache, r *revision, before *statements) bool {
	gone, come := &d.gone, &d.come
	was, is := r.changedWords()
	things, traits := len(gone.things)+len(come.things), len(gone.traits)+len(come.traits)
	switch kind {
	case WholeReplaceObject:
		return r.countChanges() == 1 && len(gone.things) == 1 && len(come.things) == 1 && d.isRenamed() &&
			areWordsIn(was, gone.things[0].Key) && areWordsIn(is, come.things[0].Key)
	case WholeReplaceAttribute:
		return r.countChanges() == 1 && things == 0 && len(gone.traits) == 1 && len(come.traits) == 1 && isSameSlot(gone.traits[0], come.traits[0]) &&
			areWordsIn(was, gone.traits[0].is) && areWordsIn(is, come.traits[0].is)
	case WholeReplaceRelation:
		x, y, found := d.findReplacedRelation()
		return r.countChanges() == 1 && things+traits == 0 && found && areWordsIn(was, tieWords(w, x)) && areWordsIn(is, tieWords(w, y))
	case WholeSwapObjects:
		moved := d.textOfTraded(w, before)
		return things == 0 && r.hasSameWords() && d.traded != [2]*words.Noun{} && areWordsIn(was, moved) && areWordsIn(is, moved)
	case WholeSwapAttributes:
		return things == 0 && r.hasSameWords() && len(gone.traits) > 1 && d.isShuffled() && areWordsIn(was, traitWords(gone)) && areWordsIn(is, traitWords(come))
	case WholeAddObject:
		return len(was)+len(gone.things)+len(gone.traits) == 0 && len(come.things) == 1 && d.addsOnly(come.things[0]) && d.onlyReattaches(w)
	case WholeAddAttribute:
		return len(was)+len(gone.traits)+things == 0 && len(come.traits) == 1 && !come.traits[0].quantity && areWordsIn(is, come.traits[0].is)
	}
	return false
}

// areWordsIn reports whether all words, of which some are, are among those of a list.
func areWordsIn(all []revisedWord, list string) bool {
	for _, word := range all {
		if !wordclass.Has(list, word.lower) && !wordclass.Has(list, word.lemma) {
			return false
		}
	}
	return len(all) > 0
}

func traitWords(s *statements) string {
	list := ""
	for _, t := range s.traits {
		list += " " + t.is
	}
	return list
}

func tieWords(w *words.Cache, t statedRelation) string {
	r := w.RelationOf(t.is, "")
	return r.Key + " " + r.Verb + " " + r.Prep
}

// textOfTraded are the words of the things that trade places, of what is said of them, and of the relations in which
// they stand.
func (d *difference) textOfTraded(w *words.Cache, before *statements) string {
	list := ""
	trades := func(n *words.Noun) bool { return n == d.traded[0] || n == d.traded[1] }
	for _, n := range d.traded {
		if n != nil {
			list += " " + n.Key + " " + n.Many
		}
	}
	for _, t := range before.traits {
		if trades(t.of) {
			list += " " + t.is
		}
	}
	for _, t := range before.relations {
		if trades(t.subject) || trades(t.object) {
			list += " " + tieWords(w, t)
		}
	}
	return list
}

func isSameSlot(x, y statedTrait) bool { return x.of == y.of && x.quantity == y.quantity }

// isRenamed reports whether what was said of the thing that is gone is said of the one that came.
func (d *difference) isRenamed() bool {
	traits := make([]statedTrait, len(d.gone.traits))
	for i, t := range d.gone.traits {
		if t.of == d.gone.things[0] {
			t.of = d.come.things[0]
		}
		traits[i] = t
	}
	a, b := symmetricDifference(traits, d.come.traits)
	return len(a)+len(b) == 0
}

// findReplacedRelation is a relation that is gone and one that stands between the same things instead.
func (d *difference) findReplacedRelation() (x, y statedRelation, found bool) {
	for _, x := range d.gone.relations {
		for _, y := range d.come.relations {
			if x.subject == y.subject && x.object == y.object {
				return x, y, true
			}
		}
	}
	return x, y, false
}

// isShuffled reports whether the same attributes are said of the same things otherwise.
func (d *difference) isShuffled() bool {
	parts := func(traits []statedTrait) (of []*words.Noun, is []string) {
		for _, t := range traits {
			of, is = append(of, t.of), append(is, t.is)
		}
		return of, is
	}
	ofBefore, isBefore := parts(d.gone.traits)
	ofAfter, isAfter := parts(d.come.traits)
	a, b := symmetricDifference(ofBefore, ofAfter)
	p, q := symmetricDifference(isBefore, isAfter)
	return len(a)+len(b)+len(p)+len(q) == 0
}

// addsOnly reports whether all that comes is said of one thing, and relates it to another.
func (d *difference) addsOnly(n *words.Noun) bool {
	for _, t := range d.come.traits {
		if t.of != n {
			return false
		}
	}
	for _, t := range d.come.relations {
		if t.subject == n || t.object == n {
			return true
		}
	}
	return false
}

// onlyReattaches reports whether each relation that is gone stands with the same preposition and object still,
// and the parser has it of another subject or verb.
func (d *difference) onlyReattaches(w *words.Cache) bool {
	for _, x := range d.gone.relations {
		if !slices.ContainsFunc(d.come.relations, func(y statedRelation) bool {
			return x.object == y.object && w.RelationOf(x.is, "").Prep == w.RelationOf(y.is, "").Prep
		}) {
			return false
		}
	}
	return true
}
