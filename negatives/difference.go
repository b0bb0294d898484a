package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// saidTrait is an attribute or the quantity of an object, saidTie a relation between two
// in its canonical form.
type (
	saidTrait struct {
		of       *words.Noun
		is       string
		quantity bool
	}
	saidTie struct {
		subject, object *words.Noun
		is              string
	}
)

// statements are what a graph says, in the order in which the text does. An object is known by its
// name alone.
type statements struct {
	things []*words.Noun
	traits []saidTrait
	ties   []saidTie
	// many are the things that are in the plural.
	many []*words.Noun
}

// read makes s what a graph says.
func (s *statements) read(w *words.Cache, g *schemas.SceneGraph) {
	s.things, s.traits, s.ties, s.many = s.things[:0], s.traits[:0], s.ties[:0], s.many[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		n := w.Object(o)
		s.things = append(s.things, n.Noun)
		if n.Plural {
			s.many = append(s.many, n.Noun)
		}
		for _, a := range o.Attributes {
			s.traits = append(s.traits, saidTrait{n.Noun, a.Text, false})
		}
		if o.Quantity != "" {
			s.traits = append(s.traits, saidTrait{n.Noun, o.Quantity, true})
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		s.ties = append(s.ties, saidTie{s.things[r.Subject], s.things[r.Object], w.RelationOf(r.Predicate, r.Lemma).Key})
	}
}

// difference is what one graph says and another does not.
type difference struct {
	gone, come statements
	// traded are the two things that stand at each other's place, where all others stand
	// as they did; nil where there are none.
	traded [2]*words.Noun
}

// read makes d the difference between two graphs.
func (d *difference) read(before, after *statements) {
	d.gone.things, d.come.things = apart(before.things, after.things)
	d.gone.traits, d.come.traits = apart(before.traits, after.traits)
	d.gone.ties, d.come.ties = apart(before.ties, after.ties)
	d.gone.many, d.come.many = before.many, after.many
	d.traded = tradedIn(before.things, after.things)
}

// tradedIn are the two things that trade places from one list to the other.
func tradedIn(before, after []*words.Noun) (two [2]*words.Noun) {
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

// none holds where they say the same.
func (d *difference) none() bool { return d.gone.empty() && d.come.empty() }

func (s *statements) empty() bool { return len(s.things)+len(s.traits)+len(s.ties) == 0 }

// apart are the members of a and of b that the other does not have, each as often as it
// has it more.
func apart[T comparable](a, b []T) (onlyA, onlyB []T) {
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

// changes says whether a revision, which makes that difference, is a change of a type and of
// nothing else: the words that differ are those of what is replaced, moved or new. All others are
// the caption's own, so that relations which the parser attaches otherwise are no change.
func (d *difference) changes(kind string, w *words.Cache, r *revision, before *statements) bool {
	gone, come := &d.gone, &d.come
	was, is := r.changed()
	things, traits := len(gone.things)+len(come.things), len(gone.traits)+len(come.traits)
	switch kind {
	case WholeReplaceObject:
		return r.places() == 1 && len(gone.things) == 1 && len(come.things) == 1 && d.renamed() &&
			within(was, gone.things[0].Key) && within(is, come.things[0].Key)
	case WholeReplaceAttribute:
		return r.places() == 1 && things == 0 && len(gone.traits) == 1 && len(come.traits) == 1 && replaces(gone.traits[0], come.traits[0]) &&
			within(was, gone.traits[0].is) && within(is, come.traits[0].is)
	case WholeReplaceRelation:
		x, y, found := d.related()
		return r.places() == 1 && things+traits == 0 && found && within(was, tieWords(w, x)) && within(is, tieWords(w, y))
	case WholeSwapObjects:
		moved := d.said(w, before)
		return things == 0 && r.sameWords() && d.traded != [2]*words.Noun{} && within(was, moved) && within(is, moved)
	case WholeSwapAttributes:
		return things == 0 && r.sameWords() && len(gone.traits) > 1 && d.shuffled() && within(was, traitWords(gone)) && within(is, traitWords(come))
	case WholeAddObject:
		return len(was)+len(gone.things)+len(gone.traits) == 0 && len(come.things) == 1 && d.about(come.things[0]) && d.onlyAttached(w)
	case WholeAddAttribute:
		return len(was)+len(gone.traits)+things == 0 && len(come.traits) == 1 && !come.traits[0].quantity && within(is, come.traits[0].is)
	}
	return false
}

// within holds where all words, of which some are, are among those of a list.
func within(all []revisedWord, list string) bool {
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

func tieWords(w *words.Cache, t saidTie) string {
	r := w.RelationOf(t.is, "")
	return r.Key + " " + r.Verb + " " + r.Prep
}

// said are the words of the things that trade places, of what is said of them, and of the relations in which
// they stand.
func (d *difference) said(w *words.Cache, before *statements) string {
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
	for _, t := range before.ties {
		if trades(t.subject) || trades(t.object) {
			list += " " + tieWords(w, t)
		}
	}
	return list
}

func replaces(x, y saidTrait) bool { return x.of == y.of && x.quantity == y.quantity }

// renamed holds where what was said of the thing that is gone is said of the one that came.
func (d *difference) renamed() bool {
	traits := make([]saidTrait, len(d.gone.traits))
	for i, t := range d.gone.traits {
		if t.of == d.gone.things[0] {
			t.of = d.come.things[0]
		}
		traits[i] = t
	}
	a, b := apart(traits, d.come.traits)
	return len(a)+len(b) == 0
}

// related is a relation that is gone and one that stands between the same things instead.
func (d *difference) related() (x, y saidTie, found bool) {
	for _, x := range d.gone.ties {
		for _, y := range d.come.ties {
			if x.subject == y.subject && x.object == y.object {
				return x, y, true
			}
		}
	}
	return x, y, false
}

// shuffled holds where the same attributes are said of the same things otherwise.
func (d *difference) shuffled() bool {
	parts := func(traits []saidTrait) (of []*words.Noun, is []string) {
		for _, t := range traits {
			of, is = append(of, t.of), append(is, t.is)
		}
		return of, is
	}
	ofBefore, isBefore := parts(d.gone.traits)
	ofAfter, isAfter := parts(d.come.traits)
	a, b := apart(ofBefore, ofAfter)
	p, q := apart(isBefore, isAfter)
	return len(a)+len(b)+len(p)+len(q) == 0
}

// about holds where all that comes is said of one thing, and relates it to another.
func (d *difference) about(n *words.Noun) bool {
	for _, t := range d.come.traits {
		if t.of != n {
			return false
		}
	}
	for _, t := range d.come.ties {
		if t.subject == n || t.object == n {
			return true
		}
	}
	return false
}

// onlyAttached holds where each relation that is gone stands with the same preposition and object still,
// and the parser has it of another subject or verb.
func (d *difference) onlyAttached(w *words.Cache) bool {
	for _, x := range d.gone.ties {
		if !slices.ContainsFunc(d.come.ties, func(y saidTie) bool {
			return x.object == y.object && w.RelationOf(x.is, "").Prep == w.RelationOf(y.is, "").Prep
		}) {
			return false
		}
	}
	return true
}
