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

// slot is a place to be filled, with what is known of the words around it.
type slot struct {
	kind slots.Kind
	// of is a kind of noun: for an object, its own; for an attribute, that of the object that has it; for an action, that of the noun before it.
	of truth.Kind
	// object is set if the slot is the object of the relation, not its subject.
	object bool
	// id identifies the attribute, relation or verb in the slot; noun is the object in it.
	id   uint32
	text string
	noun *words.Noun
	// head is the head of the object with the attribute or quantity, or of a relation's object; subject is the head of
	// the relation's subject.
	head, subject *words.Headword
	// For an object in a relation, relation is that relation, and other the noun at its other end.
	relation *words.Relation
	other    *words.Noun
	// caption has the slot as its tokens first to last. It is nil for a slot of a sub-graph.
	caption     *captionWords
	first, last int32
	// before is the noun before an action, and complement is what follows it.
	before, complement string
}

// excludedKinds returns the kinds of nouns that may not fill the slot of an object in a relation, as bits.
func (s *slot) excludedKinds() uint32 {
	return truth.ExcludedKinds(&truth.End{
		IsObject: s.object, Place: s.relation.Place, Relation: s.relation.Key, Prep: s.relation.Prep,
		Kind: s.of, Other: s.other.Kind, OtherHead: s.other.Head,
	})
}

// toRequest returns the slot in the form that a Proposer gets.
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

// oppositesOf returns the relations or verbs that a row of exclusions.tsv may oppose to the word in the slot, or nil
// for other slots.
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

// newSource returns the source that opts.Replacements names.
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

// externalSource asks a Proposer for candidates, in one call for all slots of an image.
type externalSource struct {
	proposer slots.Proposer
	words    *words.Cache
	replies  [][]slots.Candidate // of the slots that candidatesFor is called for next
}

// ask gets the candidates for all slots of an image from the Proposer.
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

// candidatesFor returns the candidates for a slot. It must be called for all slots in the order of ask.
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
		return p.words.Actions(s.caption.tokens[s.first].Tag, s.before, s.complement)
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

// ngramSource proposes words that the corpus has between the slot's neighbours, or else next to one of them (CE-CLIP's
// mask filling without a network). In a sub-graph, which has no neighbours, it is as corpusSource.
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

// newUniform returns a source that gives all candidates of a list, and all quantities of the corpus, the same weight.
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
