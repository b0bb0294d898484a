package words

import (
	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
)

// OppositeRelations returns the relations of the corpus that exclusions.tsv may oppose to another,
// for a group of subjects.
func (w *Cache) OppositeRelations(of truth.Actor) *Candidates {
	return w.opposites(slots.Relation, of, "", "", func() []slots.Candidate {
		list := w.Vocab.List(vocabulary.Relation)
		return vocabulary.Filter(list[:min(len(list), vocabulary.MaxObjects)], func(text string, _ uint64) bool { return w.RelationOf(text, "").isPlain() })
	})
}

// OppositeActions returns the verbs that exclusions.tsv may oppose to another, for a group of
// subjects. The corpus must have them in the form and with the complement.
func (w *Cache) OppositeActions(of truth.Actor, form, complement string) *Candidates {
	return w.opposites(slots.Action, of, form, complement, func() []slots.Candidate {
		return vocabulary.Filter(w.commonVerbs(form, complement), func(verb string, _ uint64) bool { return w.HasForm(form, verb) })
	})
}

func (w *Cache) opposites(kind slots.Kind, of truth.Actor, form, complement string, list func() []slots.Candidate) *Candidates {
	id := [3]uint64{uint64(kind), uint64(of), grammar.ID(form, complement)}
	l, ok := w.opposite[id]
	if !ok {
		l = w.Candidates(kind, list())
		l.Of, l.Opposite = of, true
		w.Kept += WordSize
		w.opposite[id] = l
	}
	return l
}
