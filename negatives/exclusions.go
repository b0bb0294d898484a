package negatives

// Tables of exclusions.tsv, of verbs.
var (
	acts = [...]table{anything: exclusions["done"], person: exclusions["people"], animal: exclusions["animals"], vehicle: exclusions["vehicles"]}
	more = exclusions["more"]
	off  = exclusions["beside"]
)

// actor is who does something, as far as tables tell the verbs of one from those of others.
type actor uint8

const (
	anything actor = iota
	person
	animal
	vehicle
)

// actor is that of a kind.
func (k kind) actor() actor {
	switch k {
	case people:
		return person
	case animals:
		return animal
	case vehicles:
		return vehicle
	}
	return anything
}

// sides has bit i set where row i of a table has a verb, and where it has it among the others.
type sides struct{ with, others uint64 }

func (t table) sides(verb string) sides { return sides{t.with(verb), t.withOther(verb)} }

// opposes is where a verb stands in the tables of what verbs exclude.
type opposes struct {
	acts [len(acts)]sides
	more sides
	off  uint64
}

func newOpposes(verb string) (o opposes) {
	for i := range acts {
		o.acts[i] = acts[i].sides(verb)
	}
	o.more, o.off = more.sides(verb), off.withOther(verb)
	return o
}

// opposed holds where exclusions.tsv says that what one verb is said of does not do the other.
func (a *verb) opposed(b *verb, of actor) bool {
	opposed := func(of actor) bool {
		x, y := a.opposes.acts[of], b.opposes.acts[of]
		return x.with&y.others|x.others&y.with != 0
	}
	return opposed(anything) || of != anything && opposed(of) || a.opposes.more.with&b.opposes.more.others != 0
}

// opposed holds where exclusions.tsv says that a relation is false where another is said, from which it
// differs in the verb, in the place, or in that something is done to what the other says a place by.
func (w *words) opposed(said, is *relation, of actor) bool {
	bare := said.verb == "" || contains(postures, said.verb)
	switch {
	case w.apart.excludes(said.place, is.place):
		return is.verb == "" || is.verb == said.verb || bare && contains(postures, is.verb)
	case said.verb != "" && is.verb != "" && (said.gerund == is.gerund || is.prep != "by") && said.does.opposed(is.does, of):
		return said.prep == is.prep || said.place == is.place && said.place != nowhere
	}
	return bare && is.prep == "" && w.apart.off[said.place]&is.does.opposes.off != 0
}

// plain holds for a relation that may replace others, and says its place, if it has one, by the first of its prepositions.
func (r *relation) plain() bool {
	return r.replaces && (r.place == nowhere || r.prep == classOf(&r.predicate))
}

// oppositeRelations are the relations of the corpus of which exclusions.tsv may say that they are false
// where another is said.
func (w *words) oppositeRelations(of actor) *candidates {
	return w.opposites(SlotRelation, of, "", "", func() []Candidate {
		list := w.vocab.list(CountRelation)
		return those(list[:min(len(list), maxObjects)], func(text string, _ uint64) bool { return w.relationOf(text, "").plain() })
	})
}

// oppositeActions are the verbs of which it may say so, that the corpus has in a form and with a complement.
func (w *words) oppositeActions(of actor, form, complement string) *candidates {
	return w.opposites(SlotAction, of, form, complement, func() []Candidate {
		return those(w.common(form, complement), func(verb string, _ uint64) bool { return w.hasForm(form, verb) })
	})
}

func (w *words) opposites(kind SlotKind, of actor, form, complement string, list func() []Candidate) *candidates {
	id := [3]uint64{uint64(kind), uint64(of), idOf(form, complement)}
	l, ok := w.opposite[id]
	if !ok {
		l = w.candidates(kind, list())
		l.of, l.opposite = of, true
		w.kept += wordSize
		w.opposite[id] = l
	}
	return l
}

// common are the verbs that the corpus has in a form with a complement, but for slips.
func (w *words) common(form, complement string) []Candidate {
	return w.regular(form, often(w.vocab.list(CountActionOf, form, "", complement), seldom*float64(w.vocab.actions)))
}
