package plausible

import (
	"slices"

	"capgraph/negatives/grammar"
	"capgraph/negatives/methods"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
)

// Evidence has the features of the judge's score, in the order in which evidenceNames has those of
// the group.
type Evidence []float64

// group is a type of claim. Each has its own weights.
type group uint8

const (
	ofObjects group = iota
	ofAttributes
	ofRelations
	ofTurns
	ofActions
	GroupCount
)

// GroupOf returns the group of a method, or GroupCount if the method is not judged.
func GroupOf(m methods.Method) group {
	switch m {
	case methods.ReplaceObject, methods.FillObject, methods.AddObject, methods.AddRelation:
		return ofObjects
	case methods.ReplaceAttribute, methods.FillAttribute, methods.SwapAttributes, methods.SwapAdjectives, methods.ReplaceQuantity, methods.FillQuantity, methods.AddAttribute:
		return ofAttributes
	case methods.ReplaceRelation:
		return ofRelations
	case methods.SwapObjects:
		return ofTurns
	case methods.FillAction:
		return ofActions
	}
	return GroupCount
}

var kindNames = []string{"other", "people", "animals", "body", "food", "clothing", "vehicles", "furniture", "structures", "land", "plants", "drinks", "interiors", "openings", "ways", "water", "weather", "media"}

// evidenceNames names the features of each group. Counts n are given as ln(1 + n); of several facts
// or traits, the one with the least count is used. The names of vector features follow.
var evidenceNames = [GroupCount][]string{
	ofObjects: slices.Concat([]string{
		"filled", "in class", "together", "role", "lift", "lift in class", "was in class", "was lift", "verb", "mean in class", "mean lift", "no fact", "facts",
		"same kind", "was of no kind", "frequency", "trait", "trait lift", "no trait",
		"among the living", "beside a part", "beside something vast", "alive", "was alive", "people for people", "subject"}, kindNames, changeNames),
	ofAttributes: slices.Concat([]string{"filled", "swapped words", "swapped attributes", "quantity", "attested", "lift", "was attested", "frequency", "head", "frequency of what was"}, kindNames, changeNames),
	ofRelations:  relationEvidence,
	ofTurns:      relationEvidence,
	ofActions:    slices.Concat([]string{"deed", "doer", "was deed", "form", "done to", "done there", "of both", "object", "place", "same ending"}, changeNames),
}

var relationEvidence = slices.Concat([]string{"in class", "was in class", "together", "lift in class", "subject", "object", "doer", "done to", "verb", "was verb", "places", "same kind", "alive", "object alive"}, changeNames)

// flag returns 1 if holds is true, else 0.
func flag(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// Evidence appends the features of a claim by a method that come from counts.
func (a *Attested) Evidence(e Evidence, m methods.Method, c *Claim) Evidence {
	switch GroupOf(m) {
	case ofObjects:
		return a.appendObjectEvidence(e, m, c)
	case ofAttributes:
		return a.appendAttributeEvidence(e, m, c)
	case ofRelations, ofTurns:
		return a.appendRelationEvidence(e, &c.Facts[0])
	case ofActions:
		return a.appendActionEvidence(e, c)
	}
	return e
}

// factEvidence returns the features of a fact with a new noun. was is the noun that it replaces.
func (a *Attested) factEvidence(f *Fact, was *words.Noun) [8]float64 {
	s, o, r := f.Subject.HeadID, f.Object.HeadID, f.Is.Hashes
	beside := func(x, y uint64) int64 { return a.Counts[KeyOf(besides, x, y)] + a.Counts[KeyOf(besides, y, x)] }
	uses := func(x uint64) int64 { return a.Counts[KeyOf(subjects, x)] + a.Counts[KeyOf(objects, x)] }
	role, ws, wo := a.log(KeyOf(objectsIn, o, r.Class))-a.log(KeyOf(objects, o)), s, was.HeadID
	if f.Comes {
		role, ws, wo = a.log(KeyOf(subjectsIn, s, r.Class))-a.log(KeyOf(subjects, s)), was.HeadID, o
	}
	verb := 0.0
	switch {
	case r.Verb == 0:
	case f.Comes:
		verb = a.log(KeyOf(doers, s, r.Verb)) - 2
	default:
		verb = a.log(KeyOf(doneTo, o, r.Whole)) - 2
	}
	here := KeyOf(InClass, s, o, r.Class)
	return [8]float64{
		a.log(here), logOf(beside(s, o)), role, lift(beside(s, o), uses(s), uses(o), a.relations),
		lift(a.Counts[here], a.Counts[KeyOf(subjectsIn, s, r.Class)], a.Counts[KeyOf(objectsIn, o, r.Class)], a.Counts[KeyOf(allIn, r.Class)]),
		a.log(KeyOf(InClass, ws, wo, r.Class)), lift(beside(ws, wo), uses(ws), uses(wo), a.relations), verb,
	}
}

func (a *Attested) appendObjectEvidence(e Evidence, m methods.Method, c *Claim) Evidence {
	var least [8]float64
	var class, lifts float64
	living, part, large, subject := false, false, false, false
	for i := range c.Facts {
		f := &c.Facts[i]
		x := a.factEvidence(f, c.Was)
		other := f.Subject
		if f.Comes {
			other = f.Object
		}
		living, part, large, subject = living || other.Alive(), part || other.Kind == truth.Body, large || other.Size() == truth.Vast, subject || f.Comes
		class, lifts = class+x[0], lifts+x[3]
		for j := range x {
			if i == 0 || x[j] < least[j] {
				least[j] = x[j]
			}
		}
	}
	n := max(1, float64(len(c.Facts)))
	trait, traitLift := 2.0, 0.5
	for i := range c.Traits {
		t := &c.Traits[i]
		h, p := t.Noun.HeadID, grammar.Mixed(t.Is.Hash)
		attested := KeyOf(attributesOf, h, p)
		trait = min(trait, a.log(attested))
		traitLift = min(traitLift, lift(a.Counts[attested], a.Counts[KeyOf(attributed, h)], a.Counts[KeyOf(attributing, p)], a.attributes))
	}
	e = append(e, flag(m == methods.FillObject))
	e = append(e, least[:]...)
	e = append(e, class/n, lifts/n, flag(len(c.Facts) == 0), float64(min(len(c.Facts), 3)),
		flag(c.Is.Kind == c.Was.Kind && c.Is.Kind != 0), flag(c.Was.Kind == 0), logOf(a.Counts[KeyOf(subjects, c.Is.HeadID)]+a.Counts[KeyOf(objects, c.Is.HeadID)]), trait, traitLift, flag(len(c.Traits) == 0),
		flag(living), flag(part), flag(large), flag(c.Is.Alive()), flag(c.Was.Alive()), flag(c.Is.Kind == truth.People && c.Was.Kind == truth.People), flag(subject))
	for k := range truth.KindCount {
		e = append(e, flag(int(c.Is.Kind) == k))
	}
	return e
}

func (a *Attested) appendAttributeEvidence(e Evidence, m methods.Method, c *Claim) Evidence {
	var x [6]float64 // attested, lift, was attested, frequency, head, frequency of what was
	var ofKind [truth.KindCount]bool
	for i := range c.Traits {
		t := &c.Traits[i]
		h, p, w := t.Noun.HeadID, grammar.Mixed(t.Is.Hash), grammar.Mixed(t.Was.Hash)
		y := [6]float64{a.log(KeyOf(attributesOf, h, p)), lift(a.Counts[KeyOf(attributesOf, h, p)], a.Counts[KeyOf(attributed, h)], a.Counts[KeyOf(attributing, p)], a.attributes),
			a.log(KeyOf(attributesOf, h, w)), a.log(KeyOf(attributing, p)), a.log(KeyOf(attributed, h)), a.log(KeyOf(attributing, w))}
		ofKind[t.Noun.Kind] = true
		for j := range x {
			if i == 0 || y[j] < x[j] {
				x[j] = y[j]
			}
		}
	}
	e = append(e, flag(m == methods.FillAttribute || m == methods.FillQuantity), flag(m == methods.SwapAdjectives), flag(m == methods.SwapAttributes), flag(len(c.Traits) == 0))
	e = append(e, x[:]...)
	for _, is := range ofKind {
		e = append(e, flag(is))
	}
	return e
}

func (a *Attested) appendRelationEvidence(e Evidence, f *Fact) Evidence {
	s, o, r, w := f.Subject.HeadID, f.Object.HeadID, f.Is.Hashes, f.Was.Hashes
	now, doer, done := KeyOf(InClass, s, o, r.Class), 0.0, 0.0
	if r.Verb != 0 {
		doer, done = a.log(KeyOf(doers, s, r.Verb))-2, a.log(KeyOf(doneTo, o, r.Whole))-2
	}
	return append(e, a.log(now), a.log(KeyOf(InClass, s, o, w.Class)), logOf(a.Counts[KeyOf(besides, s, o)]+a.Counts[KeyOf(besides, o, s)]),
		lift(a.Counts[now], a.Counts[KeyOf(subjectsIn, s, r.Class)], a.Counts[KeyOf(objectsIn, o, r.Class)], a.Counts[KeyOf(allIn, r.Class)]),
		a.log(KeyOf(subjectsIn, s, r.Class))-a.log(KeyOf(subjects, s)), a.log(KeyOf(objectsIn, o, r.Class))-a.log(KeyOf(objects, o)),
		doer, done, flag(r.Verb != 0), flag(w.Verb != 0), flag(f.Is.Place != truth.Nowhere && f.Was.Place != truth.Nowhere), flag(f.Subject.Kind == f.Object.Kind),
		flag(f.Subject.Alive()), flag(f.Object.Alive()))
}

func (a *Attested) appendActionEvidence(e Evidence, c *Claim) Evidence {
	d, is := c.Deed, c.Action
	s, f, verb := d.Subject.HeadID, grammar.ID(is.Form), grammar.ID(is.Base)
	done, there, both := 1.0, 1.0, 0.5
	if d.Object != nil {
		done, both = a.log(KeyOf(doneTo, d.Object.HeadID, grammar.ID(is.Base, ""))), a.log(KeyOf(threesome, s, d.Object.HeadID, verb))
	}
	if d.Place != nil {
		there = a.log(KeyOf(doneTo, d.Place.HeadID, grammar.ID(is.Base, d.In)))
	}
	return append(e, a.log(KeyOf(actsOf, s, f)), a.log(KeyOf(doers, s, verb)), a.log(KeyOf(actsOf, s, grammar.ID(d.Form))), a.log(KeyOf(formsOfActs, f)),
		done, there, both, flag(d.Object != nil), flag(d.Place != nil), flag(ending(d.Form) == ending(is.Form)))
}

// ending returns the last three letters of a form.
func ending(form string) string { return form[max(0, len(form)-3):] }
