package negatives

import (
	"context"
	"fmt"
)

// slot is a place to be filled, by what the generator knows of the words around
// it.
type slot struct {
	kind SlotKind
	// of is the kind of the object that stands there, or that an attribute belongs to.
	of kind
	// object holds for the object of a relation, which else is its subject.
	object bool
	// id is that of the attribute, relation or verb that stands there, noun the
	// object.
	id   uint32
	text string
	noun *noun
	// head is that of the object that an attribute or a quantity belongs to, or of a
	// relation's object; subject is that of its subject.
	head, subject *headword
	// relation is the one that an object stands in, and other the noun at its other
	// end.
	relation *relation
	other    *noun
	// caption and its tokens first to last are nil and 0 for a slot of a sub-graph.
	caption     *captionWords
	first, last int32
	// before is the noun before an action, complement what follows it.
	before, complement string
}

// asked is the slot as a Proposer is asked for it.
func (s *slot) asked() Slot {
	a := Slot{Kind: s.kind, Text: s.text}
	if w := s.caption; w != nil {
		a.Form, a.Left, a.Right = w.tokens[s.last].Tag, wordBefore(w.lower, int(s.first)), wordAfter(w.lower, int(s.last))
	}
	switch {
	case s.kind == SlotAction:
		a.Head, a.Object = s.before, s.complement
	case s.kind == SlotRelation:
		a.Subject, a.Object = s.subject.text, s.head.text
	case s.kind != SlotObject:
		a.Head = s.head.text
	case s.relation != nil && s.object:
		a.Relation, a.Subject = s.relation.key, s.other.key
	case s.relation != nil:
		a.Relation, a.Object = s.relation.key, s.other.key
	}
	return a
}

// opposites are the candidates of which exclusions.tsv may say that they are false where what stands
// in the slot is said; nil where it says nothing of such.
func (s *slot) opposites(w *words) *candidates {
	switch s.kind {
	case SlotRelation:
		return w.oppositeRelations(s.of.actor())
	case SlotAction:
		return w.oppositeActions(s.of.actor(), s.caption.tokens[s.first].Tag, s.complement)
	}
	return nil
}

// source proposes as a Proposer does.
type source interface {
	propose(ctx context.Context, all []slot, out []*candidates) error
}

// newSource gives the source that the settings ask for.
func newSource(opts *Options, w *words) (source, error) {
	v := w.vocab
	switch opts.Replacements {
	case FromNGram:
		return ngrams{corpus{w}}, nil
	case FromUniform:
		return newUniform(w, v.list(CountObject), v.list(CountAttribute), v.list(CountRelation)), nil
	case FromFile:
		l, err := readLists(opts.Lists)
		return newUniform(w, l.objects, l.attributes, l.relations), err
	case FromLLM:
		return nil, fmt.Errorf("replacements: llm: no model is asked here, so that candidates cannot be made once more")
	}
	return corpus{w}, nil
}

// proposed asks a Proposer.
type proposed struct {
	proposer Proposer
	words    *words
}

func (p proposed) propose(ctx context.Context, all []slot, out []*candidates) error {
	asked, lists := make([]Slot, len(all)), make([][]Candidate, len(all))
	for i := range all {
		asked[i] = all[i].asked()
	}
	if err := p.proposer.Propose(ctx, asked, lists); err != nil {
		return err
	}
	for i, list := range lists {
		out[i] = p.words.candidates(all[i].kind, list)
		out[i].of = all[i].of.actor()
	}
	return nil
}

// corpus proposes what the corpus says of such objects: an attribute that was
// said of the head, an object that stood in that role of the relation, a
// relation that stood between such objects.
type corpus struct{ words *words }

func (p corpus) propose(_ context.Context, all []slot, out []*candidates) error {
	for i := range all {
		out[i] = p.list(&all[i])
	}
	return nil
}

func (p corpus) list(s *slot) *candidates {
	switch s.kind {
	case SlotAttribute:
		return s.head.attributes
	case SlotQuantity:
		return p.words.quantities
	case SlotAction:
		return p.words.act(s.caption.tokens[s.first].Tag, s.before, s.complement)
	case SlotRelation:
		return p.words.relations(s.text, s.id, s.subject, s.head)
	}
	switch {
	case s.relation == nil:
		return p.words.objects
	case s.object:
		return s.relation.objects
	}
	return s.relation.subjects
}

// ngrams fills a slot from the words that the corpus has between its
// neighbours, or else beside one of them (CE-CLIP's mask filling without a
// network). In a sub-graph, which has no neighbours, it proposes what corpus
// does.
type ngrams struct{ corpus corpus }

func (p ngrams) propose(_ context.Context, all []slot, out []*candidates) error {
	w := p.corpus.words
	for i := range all {
		s := &all[i]
		out[i] = nil
		if a := s.asked(); a.Left != "" {
			for _, c := range [][2]string{{a.Left, a.Right}, {a.Left, ""}, {"", a.Right}} {
				if l := w.vocab.list(CountContext, a.Form, c[0], c[1]); len(l) >= few {
					out[i] = w.listed(a.Kind, l)
					break
				}
			}
		}
		if out[i] == nil {
			out[i] = p.corpus.list(s)
		}
	}
	return nil
}

// uniform proposes one list a kind of slot, all alike (MosaiCLIP App. B: N, A
// and R). Actions, of which the papers' lists have none, are the corpus's.
type uniform struct {
	corpus                                     corpus
	objects, attributes, relations, quantities []Candidate
}

// newUniform gives the candidates of each list, and the corpus's quantities, the
// same weight.
func newUniform(w *words, objects, attributes, relations []Candidate) uniform {
	level := func(list []Candidate) []Candidate {
		all := make([]Candidate, len(list))
		for i, c := range list {
			all[i] = Candidate{c.Text, uint64(i + 1)}
		}
		return all
	}
	return uniform{corpus{w}, level(objects), level(attributes), level(relations), level(w.vocab.list(CountQuantity))}
}

func (p uniform) propose(_ context.Context, all []slot, out []*candidates) error {
	for i := range all {
		var list []Candidate
		switch all[i].kind {
		case SlotObject:
			list = p.objects
		case SlotAttribute:
			list = p.attributes
		case SlotRelation:
			list = p.relations
		case SlotQuantity:
			list = p.quantities
		case SlotAction:
			out[i] = p.corpus.list(&all[i])
			continue
		}
		out[i] = p.corpus.words.listed(all[i].kind, list)
	}
	return nil
}

// list gives the candidates of a context, by its kind and parts.
func (v *vocabulary) list(parts ...string) []Candidate {
	var buf [128]byte
	return v.lists[string(appendKey(buf[:0], parts...))]
}

// appendKey appends words with tabs between them.
func appendKey(dst []byte, words ...string) []byte {
	for i, word := range words {
		if i > 0 {
			dst = append(dst, '\t')
		}
		dst = append(dst, word...)
	}
	return dst
}
