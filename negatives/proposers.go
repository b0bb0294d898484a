package negatives

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// slot is a Slot of the generator's, with what it knows of the words around it.
type slot struct {
	Slot
	// id is that of the attribute, relation or verb that stands there.
	id uint32
	// head is that of the object that an attribute belongs to, or of a relation's
	// object.
	head *headword
	// relation is the one that an object stands in, and other the head at its other
	// end.
	relation *relation
	other    *headword
}

// source proposes as a Proposer does.
type source interface {
	propose(ctx context.Context, slots []slot, out [][]Candidate) error
}

// newSource gives the source that the settings ask for.
func newSource(opts *Options, v *Vocabulary) (source, error) {
	switch opts.Replacements {
	case FromNGram:
		return ngrams{newCorpus(v)}, nil
	case FromUniform:
		return uniform{v.list(CountObject), v.list(CountAttribute), v.list(CountRelation), v.list(CountQuantity), newCorpus(v)}.level(), nil
	case FromFile:
		return readLists(opts.Lists, v)
	case FromLLM:
		return nil, fmt.Errorf("replacements: llm: no model is asked here, so that candidates cannot be made once more")
	}
	return newCorpus(v), nil
}

// proposed asks a Proposer.
type proposed struct{ proposer Proposer }

func (p proposed) propose(ctx context.Context, slots []slot, out [][]Candidate) error {
	asked := make([]Slot, len(slots))
	for i := range slots {
		asked[i] = slots[i].Slot
	}
	return p.proposer.Propose(ctx, asked, out)
}

// corpus proposes what the corpus says of such objects: an attribute that was
// said of the head, an object that stood in that role of the relation, a
// relation that stood between such objects.
type corpus struct {
	vocab      *Vocabulary
	quantities []Candidate
}

func newCorpus(v *Vocabulary) corpus { return corpus{v, v.list(CountQuantity)} }

func (p corpus) propose(_ context.Context, slots []slot, out [][]Candidate) error {
	for i := range slots {
		out[i] = p.list(&slots[i])
	}
	return nil
}

func (p corpus) list(s *slot) []Candidate {
	v := p.vocab
	switch s.Kind {
	case SlotAttribute:
		return s.head.attributes
	case SlotQuantity:
		return p.quantities
	case SlotAction:
		return v.enough(v.list(CountActionOf, s.Form, s.Head, s.Object), CountActionOf, s.Form, "", s.Object)
	case SlotRelation:
		return wider(v.list(CountBetween, s.Subject, s.Object), s.head.relations)
	}
	switch {
	case s.relation == nil:
		return v.list(CountObject)
	case s.Subject == "":
		return s.relation.subjects
	}
	return s.relation.objects
}

// enough is the narrow list where it has a choice, or no less than the list of a
// wider context.
func (v *Vocabulary) enough(narrow []Candidate, context ...string) []Candidate {
	if len(narrow) >= few {
		return narrow
	}
	return wider(narrow, v.list(context...))
}

// wider is the narrow list where it has a choice or is no shorter than the wide
// one.
func wider(narrow, wide []Candidate) []Candidate {
	if len(narrow) >= few || len(narrow) >= len(wide) {
		return narrow
	}
	return wide
}

// few is how many candidates a context must have for a wider one not to be
// asked.
const few = 8

// ngrams fills a slot from the words that the corpus has between its
// neighbours, or else beside one of them (CE-CLIP's mask filling without a
// network). In a sub-graph, which has no neighbours, it proposes what corpus
// does.
type ngrams struct{ corpus corpus }

func (p ngrams) propose(_ context.Context, slots []slot, out [][]Candidate) error {
	for i := range slots {
		s := &slots[i]
		out[i] = nil
		if s.Left != "" {
			for _, c := range [][2]string{{s.Left, s.Right}, {s.Left, ""}, {"", s.Right}} {
				if l := p.corpus.vocab.list(CountContext, s.Form, c[0], c[1]); len(l) >= few {
					out[i] = l
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
	objects, attributes, relations, quantities []Candidate
	corpus                                     corpus
}

func (p uniform) propose(_ context.Context, slots []slot, out [][]Candidate) error {
	for i := range slots {
		switch slots[i].Kind {
		case SlotObject:
			out[i] = p.objects
		case SlotAttribute:
			out[i] = p.attributes
		case SlotRelation:
			out[i] = p.relations
		case SlotQuantity:
			out[i] = p.quantities
		case SlotAction:
			out[i] = p.corpus.list(&slots[i])
		}
	}
	return nil
}

// level gives all candidates the same weight.
func (p uniform) level() uniform {
	for _, l := range []*[]Candidate{&p.objects, &p.attributes, &p.relations, &p.quantities} {
		level := make([]Candidate, len(*l))
		for i, c := range *l {
			level[i] = Candidate{c.Text, uint64(i + 1)}
		}
		*l = level
	}
	return p
}

// readLists reads objects_vocab.txt, attributes_vocab.txt and
// relations_vocab.txt of a folder, where they are there: a candidate a line, of
// which what follows a comma are other words for the same.
func readLists(dir string, v *Vocabulary) (uniform, error) {
	p := uniform{quantities: v.list(CountQuantity), corpus: newCorpus(v)}
	found := false
	for name, list := range map[string]*[]Candidate{
		"objects_vocab.txt": &p.objects, "attributes_vocab.txt": &p.attributes, "relations_vocab.txt": &p.relations,
	} {
		words, err := readList(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return p, fmt.Errorf("negatives.lists: %w", err)
		}
		*list, found = words, true
	}
	if !found {
		return p, fmt.Errorf("negatives.lists: no objects_vocab.txt, attributes_vocab.txt or relations_vocab.txt in %s", dir)
	}
	return p, nil
}

func readList(path string) ([]Candidate, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Candidate
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		first, _, _ := strings.Cut(lines.Text(), ",")
		if first = strings.ToLower(strings.TrimSpace(first)); first != "" {
			out = append(out, Candidate{first, uint64(len(out) + 1)})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// list gives the candidates of a context, by its kind and parts.
func (v *Vocabulary) list(parts ...string) []Candidate {
	var buf [128]byte
	key := buf[:0]
	for i, p := range parts {
		if i > 0 {
			key = append(key, '\t')
		}
		key = append(key, p...)
	}
	return v.lists[string(key)]
}
