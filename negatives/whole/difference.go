package whole

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// Trait is an attribute or the quantity of an object. Relation is a relation between two objects,
// in its canonical form.
type (
	Trait struct {
		Of       *words.Noun
		Is       string
		Quantity bool
	}
	Relation struct {
		Subject, Object *words.Noun
		Is              string
	}
)

// Statements has the statements of a graph, in the order of the text. Objects are identified by
// their nouns.
type Statements struct {
	Things    []*words.Noun
	Traits    []Trait
	Relations []Relation
	// Many are the objects in the plural.
	Many []*words.Noun
}

// read sets s to the statements of a graph.
func (s *Statements) read(w *words.Cache, g *schemas.SceneGraph) {
	s.Things, s.Traits, s.Relations, s.Many = s.Things[:0], s.Traits[:0], s.Relations[:0], s.Many[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		n := w.Object(o)
		s.Things = append(s.Things, n.Noun)
		if n.Plural {
			s.Many = append(s.Many, n.Noun)
		}
		for _, a := range o.Attributes {
			s.Traits = append(s.Traits, Trait{n.Noun, a.Text, false})
		}
		if o.Quantity != "" {
			s.Traits = append(s.Traits, Trait{n.Noun, o.Quantity, true})
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		s.Relations = append(s.Relations, Relation{s.Things[r.Subject], s.Things[r.Object], w.RelationOf(r.Predicate, r.Lemma).Key})
	}
}

// Difference has the statements that only one of two graphs has: Gone those of the first, Come
// those of the second.
type Difference struct {
	Gone, Come Statements
	// Traded are two things that changed places while all others kept theirs; nil if there are
	// none.
	Traded [2]*words.Noun
}

// read sets d to the difference between two graphs.
func (d *Difference) read(before, after *Statements) {
	d.Gone.Things, d.Come.Things = symmetricDifference(before.Things, after.Things)
	d.Gone.Traits, d.Come.Traits = symmetricDifference(before.Traits, after.Traits)
	d.Gone.Relations, d.Come.Relations = symmetricDifference(before.Relations, after.Relations)
	d.Gone.Many, d.Come.Many = before.Many, after.Many
	d.Traded = findTraded(before.Things, after.Things)
}

// findTraded returns the two things that change places between two lists that are otherwise equal,
// or nil and nil.
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

// isEmpty reports whether both texts state the same things.
func (d *Difference) isEmpty() bool { return d.Gone.isEmpty() && d.Come.isEmpty() }

func (s *Statements) isEmpty() bool { return len(s.Things)+len(s.Traits)+len(s.Relations) == 0 }

// symmetricDifference returns the members that a has more often than b, and those that b has more
// often than a, each as many times as the counts differ.
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

// changesOnly reports whether a revision with this difference makes one change of a type and no
// other: the differing words belong to replaced, moved or new things, attributes or relations.
// Relations that the parser only attaches to another thing do not count as a change.
func (d *Difference) changesOnly(kind string, w *words.Cache, r *revision, before *Statements) bool {
	gone, come := &d.Gone, &d.Come
	was, is := r.changedWords()
	things, traits := len(gone.Things)+len(come.Things), len(gone.Traits)+len(come.Traits)
	switch kind {
	case ReplaceObject:
		return r.countChanges() == 1 && len(gone.Things) == 1 && len(come.Things) == 1 && d.isRenamed() &&
			areWordsIn(was, gone.Things[0].Key) && areWordsIn(is, come.Things[0].Key)
	case ReplaceAttribute:
		return r.countChanges() == 1 && things == 0 && len(gone.Traits) == 1 && len(come.Traits) == 1 && isSameSlot(gone.Traits[0], come.Traits[0]) &&
			areWordsIn(was, gone.Traits[0].Is) && areWordsIn(is, come.Traits[0].Is)
	case ReplaceRelation:
		x, y, found := d.ReplacedRelation()
		return r.countChanges() == 1 && things+traits == 0 && found && areWordsIn(was, wordsOfRelation(w, x)) && areWordsIn(is, wordsOfRelation(w, y))
	case SwapObjects:
		moved := d.textOfTraded(w, before)
		return things == 0 && r.hasSameWords() && d.Traded != [2]*words.Noun{} && areWordsIn(was, moved) && areWordsIn(is, moved)
	case SwapAttributes:
		return things == 0 && r.hasSameWords() && len(gone.Traits) > 1 && d.isShuffled() && areWordsIn(was, traitWords(gone)) && areWordsIn(is, traitWords(come))
	case AddObject:
		return len(was)+len(gone.Things)+len(gone.Traits) == 0 && len(come.Things) == 1 && d.addsOnly(come.Things[0]) && d.onlyReattaches(w)
	case AddAttribute:
		return len(was)+len(gone.Traits)+things == 0 && len(come.Traits) == 1 && !come.Traits[0].Quantity && areWordsIn(is, come.Traits[0].Is)
	}
	return false
}

// areWordsIn reports whether there are words and all are in a list, themselves or as lemmas.
func areWordsIn(all []revisedWord, list string) bool {
	for _, word := range all {
		if !wordclass.Has(list, word.lower) && !wordclass.Has(list, word.lemma) {
			return false
		}
	}
	return len(all) > 0
}

func traitWords(s *Statements) string {
	list := ""
	for _, t := range s.Traits {
		list += " " + t.Is
	}
	return list
}

func wordsOfRelation(w *words.Cache, t Relation) string {
	r := w.RelationOf(t.Is, "")
	return r.Key + " " + r.Verb + " " + r.Prep
}

// textOfTraded returns the words of the two things that change places, with their attributes and
// relations.
func (d *Difference) textOfTraded(w *words.Cache, before *Statements) string {
	list := ""
	trades := func(n *words.Noun) bool { return n == d.Traded[0] || n == d.Traded[1] }
	for _, n := range d.Traded {
		if n != nil {
			list += " " + n.Key + " " + n.Many
		}
	}
	for _, t := range before.Traits {
		if trades(t.Of) {
			list += " " + t.Is
		}
	}
	for _, t := range before.Relations {
		if trades(t.Subject) || trades(t.Object) {
			list += " " + wordsOfRelation(w, t)
		}
	}
	return list
}

func isSameSlot(x, y Trait) bool { return x.Of == y.Of && x.Quantity == y.Quantity }

// isRenamed reports whether the new thing has exactly the attributes of the removed one.
func (d *Difference) isRenamed() bool {
	traits := make([]Trait, len(d.Gone.Traits))
	for i, t := range d.Gone.Traits {
		if t.Of == d.Gone.Things[0] {
			t.Of = d.Come.Things[0]
		}
		traits[i] = t
	}
	a, b := symmetricDifference(traits, d.Come.Traits)
	return len(a)+len(b) == 0
}

// ReplacedRelation returns a removed relation x and a new relation y between the same two things.
func (d *Difference) ReplacedRelation() (x, y Relation, found bool) {
	for _, x := range d.Gone.Relations {
		for _, y := range d.Come.Relations {
			if x.Subject == y.Subject && x.Object == y.Object {
				return x, y, true
			}
		}
	}
	return x, y, false
}

// isShuffled reports whether the same attributes are distributed differently among the same things.
func (d *Difference) isShuffled() bool {
	parts := func(traits []Trait) (of []*words.Noun, is []string) {
		for _, t := range traits {
			of, is = append(of, t.Of), append(is, t.Is)
		}
		return of, is
	}
	ofBefore, isBefore := parts(d.Gone.Traits)
	ofAfter, isAfter := parts(d.Come.Traits)
	a, b := symmetricDifference(ofBefore, ofAfter)
	p, q := symmetricDifference(isBefore, isAfter)
	return len(a)+len(b)+len(p)+len(q) == 0
}

// addsOnly reports whether all added attributes are of n, and an added relation relates n to
// something.
func (d *Difference) addsOnly(n *words.Noun) bool {
	for _, t := range d.Come.Traits {
		if t.Of != n {
			return false
		}
	}
	for _, t := range d.Come.Relations {
		if t.Subject == n || t.Object == n {
			return true
		}
	}
	return false
}

// onlyReattaches reports whether each removed relation is still there with the same preposition and
// object, so that only its subject or verb differs.
func (d *Difference) onlyReattaches(w *words.Cache) bool {
	for _, x := range d.Gone.Relations {
		if !slices.ContainsFunc(d.Come.Relations, func(y Relation) bool {
			return x.Object == y.Object && w.RelationOf(x.Is, "").Prep == w.RelationOf(y.Is, "").Prep
		}) {
			return false
		}
	}
	return true
}
