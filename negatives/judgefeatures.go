package negatives

import "slices"

// evidence is what the judge goes by, in the order of the names of its group.
type evidence []float64

// group is a sort of claim, which is judged by weights of its own.
type group uint8

const (
	ofObjects group = iota
	ofAttributes
	ofRelations
	ofTurns
	ofActions
	groupCount
)

// groupOf is the group of a method; groupCount for one that is not judged.
func groupOf(m Method) group {
	switch m {
	case ReplaceObject, FillObject, AddObject, AddRelation:
		return ofObjects
	case ReplaceAttribute, FillAttribute, SwapAttributes, SwapAdjectives, ReplaceQuantity, FillQuantity, AddAttribute:
		return ofAttributes
	case ReplaceRelation:
		return ofRelations
	case SwapObjects:
		return ofTurns
	case FillAction:
		return ofActions
	}
	return groupCount
}

var kindNames = []string{"other", "people", "animals", "body", "food", "clothing", "vehicles", "furniture", "structures", "land", "plants", "drinks", "interiors", "openings", "ways", "water", "weather", "media"}

// evidenceNames says what each number of a group's evidence is. Counts are as ln(1 + n), of
// several facts or traits that with the least is meant.
var evidenceNames = [groupCount][]string{
	ofObjects: slices.Concat([]string{
		"filled", "in class", "together", "role", "lift", "lift in class", "was in class", "was lift", "verb", "mean in class", "mean lift", "no fact", "facts",
		"same kind", "was of no kind", "frequency", "trait", "trait lift", "no trait",
		"among the living", "beside a part", "beside something vast", "alive", "was alive", "people for people", "subject"}, kindNames),
	ofAttributes: slices.Concat([]string{"filled", "swapped words", "swapped attributes", "quantity", "attested", "lift", "was attested", "frequency", "head", "frequency of what was"}, kindNames),
	ofRelations:  relationEvidence,
	ofTurns:      relationEvidence,
	ofActions:    {"deed", "doer", "was deed", "form", "done to", "done there", "of both", "object", "place", "same ending"},
}

var relationEvidence = []string{"in class", "was in class", "together", "lift in class", "subject", "object", "doer", "done to", "verb", "was verb", "places", "same kind", "alive", "object alive"}

// flag is 1 where something holds.
func flag(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// evidence appends what is known of a claim by a method.
func (a *attested) evidence(e evidence, m Method, c *claim) evidence {
	switch groupOf(m) {
	case ofObjects:
		return a.ofObject(e, m, c)
	case ofAttributes:
		return a.ofAttribute(e, m, c)
	case ofRelations, ofTurns:
		return a.ofRelation(e, &c.facts[0])
	case ofActions:
		return a.ofAction(e, c)
	}
	return e
}

// ofFact is the evidence of a fact in which a noun comes.
func (a *attested) ofFact(f *fact, was *noun) [8]float64 {
	s, o, r := f.subject.headID, f.object.headID, f.is.hashes
	beside := func(x, y uint64) int64 { return a.counts[of(besides, x, y)] + a.counts[of(besides, y, x)] }
	uses := func(x uint64) int64 { return a.counts[of(subjects, x)] + a.counts[of(objects, x)] }
	role, ws, wo := a.log(of(objectsIn, o, r.class))-a.log(of(objects, o)), s, was.headID
	if f.comes {
		role, ws, wo = a.log(of(subjectsIn, s, r.class))-a.log(of(subjects, s)), was.headID, o
	}
	verb := 0.0
	switch {
	case r.verb == 0:
	case f.comes:
		verb = a.log(of(doers, s, r.verb)) - 2
	default:
		verb = a.log(of(doneTo, o, r.whole)) - 2
	}
	here := of(inClass, s, o, r.class)
	return [8]float64{
		a.log(here), logOf(beside(s, o)), role, lift(beside(s, o), uses(s), uses(o), a.relations),
		lift(a.counts[here], a.counts[of(subjectsIn, s, r.class)], a.counts[of(objectsIn, o, r.class)], a.counts[of(allIn, r.class)]),
		a.log(of(inClass, ws, wo, r.class)), lift(beside(ws, wo), uses(ws), uses(wo), a.relations), verb,
	}
}

func (a *attested) ofObject(e evidence, m Method, c *claim) evidence {
	var least [8]float64
	var class, lifts float64
	living, part, large, subject := false, false, false, false
	for i := range c.facts {
		f := &c.facts[i]
		x := a.ofFact(f, c.was)
		other := f.subject
		if f.comes {
			other = f.object
		}
		living, part, large, subject = living || other.alive(), part || other.kind == body, large || other.size() == vast, subject || f.comes
		class, lifts = class+x[0], lifts+x[3]
		for j := range x {
			if i == 0 || x[j] < least[j] {
				least[j] = x[j]
			}
		}
	}
	n := max(1, float64(len(c.facts)))
	trait, traitLift := 2.0, 0.5
	for i := range c.traits {
		t := &c.traits[i]
		h, p := t.noun.headID, mixed(t.is.hash)
		attested := of(attributesOf, h, p)
		trait = min(trait, a.log(attested))
		traitLift = min(traitLift, lift(a.counts[attested], a.counts[of(attributed, h)], a.counts[of(attributing, p)], a.attributes))
	}
	e = append(e, flag(m == FillObject))
	e = append(e, least[:]...)
	e = append(e, class/n, lifts/n, flag(len(c.facts) == 0), float64(min(len(c.facts), 3)),
		flag(c.is.kind == c.was.kind && c.is.kind != 0), flag(c.was.kind == 0), logOf(a.counts[of(subjects, c.is.headID)]+a.counts[of(objects, c.is.headID)]), trait, traitLift, flag(len(c.traits) == 0),
		flag(living), flag(part), flag(large), flag(c.is.alive()), flag(c.was.alive()), flag(c.is.kind == people && c.was.kind == people), flag(subject))
	for k := range kindCount {
		e = append(e, flag(int(c.is.kind) == k))
	}
	return e
}

func (a *attested) ofAttribute(e evidence, m Method, c *claim) evidence {
	var x [6]float64 // attested, lift, was attested, frequency, head, frequency of what was
	var ofKind [kindCount]bool
	for i := range c.traits {
		t := &c.traits[i]
		h, p, w := t.noun.headID, mixed(t.is.hash), mixed(t.was.hash)
		y := [6]float64{a.log(of(attributesOf, h, p)), lift(a.counts[of(attributesOf, h, p)], a.counts[of(attributed, h)], a.counts[of(attributing, p)], a.attributes),
			a.log(of(attributesOf, h, w)), a.log(of(attributing, p)), a.log(of(attributed, h)), a.log(of(attributing, w))}
		ofKind[t.noun.kind] = true
		for j := range x {
			if i == 0 || y[j] < x[j] {
				x[j] = y[j]
			}
		}
	}
	e = append(e, flag(m == FillAttribute || m == FillQuantity), flag(m == SwapAdjectives), flag(m == SwapAttributes), flag(len(c.traits) == 0))
	e = append(e, x[:]...)
	for _, is := range ofKind {
		e = append(e, flag(is))
	}
	return e
}

func (a *attested) ofRelation(e evidence, f *fact) evidence {
	s, o, r, w := f.subject.headID, f.object.headID, f.is.hashes, f.was.hashes
	now, doer, done := of(inClass, s, o, r.class), 0.0, 0.0
	if r.verb != 0 {
		doer, done = a.log(of(doers, s, r.verb))-2, a.log(of(doneTo, o, r.whole))-2
	}
	return append(e, a.log(now), a.log(of(inClass, s, o, w.class)), logOf(a.counts[of(besides, s, o)]+a.counts[of(besides, o, s)]),
		lift(a.counts[now], a.counts[of(subjectsIn, s, r.class)], a.counts[of(objectsIn, o, r.class)], a.counts[of(allIn, r.class)]),
		a.log(of(subjectsIn, s, r.class))-a.log(of(subjects, s)), a.log(of(objectsIn, o, r.class))-a.log(of(objects, o)),
		doer, done, flag(r.verb != 0), flag(w.verb != 0), flag(f.is.place != nowhere && f.was.place != nowhere), flag(f.subject.kind == f.object.kind),
		flag(f.subject.alive()), flag(f.object.alive()))
}

func (a *attested) ofAction(e evidence, c *claim) evidence {
	d, is := c.deed, c.action
	s, f, verb := d.subject.headID, idOf(is.form), idOf(is.base)
	done, there, both := 1.0, 1.0, 0.5
	if d.object != nil {
		done, both = a.log(of(doneTo, d.object.headID, idOf(is.base, ""))), a.log(of(threesome, s, d.object.headID, verb))
	}
	if d.place != nil {
		there = a.log(of(doneTo, d.place.headID, idOf(is.base, d.in)))
	}
	return append(e, a.log(of(actsOf, s, f)), a.log(of(doers, s, verb)), a.log(of(actsOf, s, idOf(d.form))), a.log(of(formsOfActs, f)),
		done, there, both, flag(d.object != nil), flag(d.place != nil), flag(ending(d.form) == ending(is.form)))
}

// ending is the last three letters of a form.
func ending(form string) string { return form[max(0, len(form)-3):] }
