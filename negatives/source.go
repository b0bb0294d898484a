package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

// slot is a place to be filled, by what the generator knows of the words around
// it.
type slot struct {
	kind slots.Kind
	// of is the kind of the object that stands there, or that an attribute belongs to.
	of truth.Kind
	// object is set if the slot is the object of the relation, not its subject.
	object bool
	// id is that of the attribute, relation or verb that stands there, noun the
	// object.
	id   uint32
	text string
	noun *words.Noun
	// head is that of the object that an attribute or a quantity belongs to, or of a
	// relation's object; subject is that of its subject.
	head, subject *words.Headword
	// relation is the one that an object stands in, and other the noun at its other
	// end.
	relation *words.Relation
	other    *words.Noun
	// caption and its tokens first to last are nil and 0 for a slot of a sub-graph.
	caption     *captionWords
	first, last int32
	// before is the noun before an action, complement what follows it.
	before, complement string
}

// toRequest is the slot as a Proposer is asked for it.
func (s *slot) toRequest() slots.Slot {
	a := slots.Slot{Kind: s.kind, Text: s.text}
	if w := s.caption; w != nil {
		a.Form, a.Left, a.Right = w.tokens[s.last].Tag, grammar.WordBefore(w.lower, int(s.first)), grammar.WordAfter(w.lower, int(s.last))
	}
	switch {
	case s.kind == slots.Action:
		a.Head, a.Object = s.before, s.complement
	case s.kind == slots.Relation:
		a.Subject, a.Object = s.subject.Text, s.head.Text
	case s.kind != slots.Object:
		a.Head = s.head.Text
	case s.relation != nil && s.object:
		a.Relation, a.Subject = s.relation.Key, s.other.Key
	case s.relation != nil:
		a.Relation, a.Object = s.relation.Key, s.other.Key
	}
	return a
}

// oppositesOf are the candidates of which exclusions.tsv may say that they are false if what stands
// in the slot is said; nil if it says nothing of such.
func (s *slot) oppositesOf(w *words.Cache) *words.Candidates {
	switch s.kind {
	case slots.Relation:
		return w.OppositeRelations(s.of.Actor())
	case slots.Action:
		return w.OppositeActions(s.of.Actor(), s.caption.tokens[s.first].Tag, s.complement)
	}
	return nil
}

// source proposes candidates for all slots of an image, as a Proposer does.
type source interface {
	propose(ctx context.Context, jobs []captionJob) error
}

// proposeEach sets what is proposed for each slot, slot by slot.
func proposeEach(jobs []captionJob, candidates func(*slot) *words.Candidates) error {
	for i := range jobs {
		j := &jobs[i]
		j.proposed = schemas.Resize(j.proposed, len(j.slots))
		for k := range j.slots {
			j.proposed[k] = candidates(&j.slots[k])
		}
	}
	return nil
}

// newSource gives the source that the settings ask for.
func newSource(opts *Options, w *words.Cache) (source, error) {
	v := w.Vocab
	switch opts.Replacements {
	case FromNGram:
		return ngramSource{corpusSource{w}}, nil
	case FromUniform:
		return newUniform(w, v.List(vocabulary.Object), v.List(vocabulary.Attribute), v.List(vocabulary.Relation)), nil
	case FromFile:
		l, err := readLists(opts.Lists)
		return newUniform(w, l.objects, l.attributes, l.relations), err
	case FromLLM:
		return nil, fmt.Errorf("replacements: llm: no model is asked here, so that candidates cannot be made once more")
	}
	return corpusSource{w}, nil
}

// externalSource asks a Proposer.
type externalSource struct {
	proposer slots.Proposer
	words    *words.Cache
}

func (p externalSource) propose(ctx context.Context, jobs []captionJob) error {
	var asked []slots.Slot
	for i := range jobs {
		for k := range jobs[i].slots {
			asked = append(asked, jobs[i].slots[k].toRequest())
		}
	}
	lists := make([][]slots.Candidate, len(asked))
	if err := p.proposer.Propose(ctx, asked, lists); err != nil {
		return err
	}
	n := 0
	return proposeEach(jobs, func(s *slot) *words.Candidates {
		c := p.words.Candidates(s.kind, lists[n])
		c.Of = s.of.Actor()
		n++
		return c
	})
}

// corpusSource proposes what the corpus says of such objects: an attribute that was
// said of the head, an object that stood in that role of the relation, a
// relation that stood between such objects.
type corpusSource struct{ words *words.Cache }

func (p corpusSource) propose(_ context.Context, jobs []captionJob) error {
	return proposeEach(jobs, p.candidatesFor)
}

func (p corpusSource) candidatesFor(s *slot) *words.Candidates {
	switch s.kind {
	case slots.Attribute:
		return s.head.Attributes
	case slots.Quantity:
		return p.words.Quantities
	case slots.Action:
		return p.words.Act(s.caption.tokens[s.first].Tag, s.before, s.complement)
	case slots.Relation:
		return p.words.Relations(s.text, s.id, s.subject, s.head)
	}
	switch {
	case s.relation == nil:
		return p.words.Objects
	case s.object:
		return s.relation.Objects
	}
	return s.relation.Subjects
}

// ngramSource fills a slot from the words that the corpus has between its
// neighbours, or else beside one of them (CE-CLIP's mask filling without a
// network). In a sub-graph, which has no neighbours, it proposes what corpus
// does.
type ngramSource struct{ corpus corpusSource }

func (p ngramSource) propose(_ context.Context, jobs []captionJob) error {
	return proposeEach(jobs, p.candidatesFor)
}

func (p ngramSource) candidatesFor(s *slot) *words.Candidates {
	w := p.corpus.words
	if a := s.toRequest(); a.Left != "" {
		for _, c := range [][2]string{{a.Left, a.Right}, {a.Left, ""}, {"", a.Right}} {
			if l := w.Vocab.List(vocabulary.Context, a.Form, c[0], c[1]); len(l) >= vocabulary.Few {
				return w.Listed(a.Kind, l)
			}
		}
	}
	return p.corpus.candidatesFor(s)
}

// uniformSource proposes one list a kind of slot, all alike (MosaiCLIP App. B: N, A
// and R). Actions, of which the papers' lists have none, are the corpus's.
type uniformSource struct {
	corpus                                     corpusSource
	objects, attributes, relations, quantities []slots.Candidate
}

// newUniform gives the candidates of each list, and the corpus's quantities, the
// same weight.
func newUniform(w *words.Cache, objects, attributes, relations []slots.Candidate) uniformSource {
	level := func(list []slots.Candidate) []slots.Candidate {
		all := make([]slots.Candidate, len(list))
		for i, c := range list {
			all[i] = slots.Candidate{Text: c.Text, Cum: uint64(i + 1)}
		}
		return all
	}
	return uniformSource{corpusSource{w}, level(objects), level(attributes), level(relations), level(w.Vocab.List(vocabulary.Quantity))}
}

func (p uniformSource) propose(_ context.Context, jobs []captionJob) error {
	return proposeEach(jobs, p.candidatesFor)
}

func (p uniformSource) candidatesFor(s *slot) *words.Candidates {
	var list []slots.Candidate
	switch s.kind {
	case slots.Object:
		list = p.objects
	case slots.Attribute:
		list = p.attributes
	case slots.Relation:
		list = p.relations
	case slots.Quantity:
		list = p.quantities
	case slots.Action:
		return p.corpus.candidatesFor(s)
	}
	return p.corpus.words.Listed(s.kind, list)
}
