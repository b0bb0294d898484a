package negatives

import (
	"context"
	"fmt"

	"capgraph/negatives/grammar"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// slot is a place to be filled, by what the generator knows of the words around
// it.
type slot struct {
	kind slots.Kind
	// of is the kind of the slot's object, or of the object that an attribute belongs to.
	of truth.Kind
	// object is set if the slot is the object of the relation, not its subject.
	object bool
	// id identifies the attribute, relation or verb of the slot; noun is its object.
	id   uint32
	text string
	noun *words.Noun
	// head belongs to the object of an attribute or a quantity, or to a relation's object; subject
	// to the relation's subject.
	head, subject *words.Headword
	// relation is the relation of an object, and other the noun at its other end.
	relation *words.Relation
	other    *words.Noun
	// caption and its tokens first to last are nil and 0 for a slot of a sub-graph.
	caption     *captionWords
	first, last int32
	// before is the noun before an action, complement what follows it.
	before, complement string
}

// excludedKinds returns the kinds that may not fill the slot of an object in a relation, as bits.
func (s *slot) excludedKinds() uint32 {
	return truth.ExcludedKinds(&truth.End{
		IsObject: s.object, Place: s.relation.Place, Relation: s.relation.Key, Prep: s.relation.Prep,
		Kind: s.of, Other: s.other.Kind, OtherHead: s.other.Head,
	})
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

// oppositesOf returns candidates that exclusions.tsv may exclude given the word in the slot, or nil
// if it has no row for that word.
func (s *slot) oppositesOf(w *words.Cache) *words.Candidates {
	switch s.kind {
	case slots.Relation:
		return w.OppositeRelations(s.of.Actor())
	case slots.Action:
		return w.OppositeActions(s.of.Actor(), s.caption.tokens[s.first].Tag, s.complement)
	}
	return nil
}

// source proposes candidates for slots.
type source interface {
	candidatesFor(s *slot) *words.Candidates
}

// newSource returns the source that the settings name.
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

// externalSource asks a Proposer, once for all slots of an image.
type externalSource struct {
	proposer slots.Proposer
	words    *words.Cache
	replies  [][]slots.Candidate // for the slots that come next
}

// ask asks for candidates for all slots of an image.
func (p *externalSource) ask(ctx context.Context, jobs []captionJob) error {
	var asked []slots.Slot
	for i := range jobs {
		for k := range jobs[i].slots {
			asked = append(asked, jobs[i].slots[k].toRequest())
		}
	}
	p.replies = make([][]slots.Candidate, len(asked))
	return p.proposer.Propose(ctx, asked, p.replies)
}

// candidatesFor returns the reply for a slot. It is called for each slot in the order of ask.
func (p *externalSource) candidatesFor(s *slot) *words.Candidates {
	c := p.words.Candidates(s.kind, p.replies[0])
	c.Of, p.replies = s.of.Actor(), p.replies[1:]
	return c
}

// corpusSource proposes words that the corpus has in the same context: attributes of the head,
// objects in the same role of the relation, relations between the same objects.
type corpusSource struct{ words *words.Cache }

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

// uniformSource proposes one list for each kind of slot, with equal weights (MosaiCLIP App. B: N, A
// and R). The papers have no list of actions; they come from the corpus.
type uniformSource struct {
	corpus                                     corpusSource
	objects, attributes, relations, quantities []slots.Candidate
}

// newUniform returns a source in which all candidates of a list, and the corpus's quantities, have the same weight.
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
