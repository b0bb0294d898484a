package negatives

import (
	"maps"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// pairs are what heads the corpus has relations between, and of what classes.
type pairs struct {
	heads map[string]*partners
	// classes numbers the classes of relations, from 1 on.
	classes map[string]uint32
	// acting are the heads that are the subject of a verb.
	acting map[string]*heads
	// misplaced are the heads that are hardly ever the object of a class.
	misplaced map[string]headSet
}

// heads are ids of heads: a set, or where they are few a list, of which some has
// bit i&63 for each id i.
type heads struct {
	list []uint32
	some uint64
	set  headSet
}

// has holds where an id is among them, which it is not among no heads.
func (h *heads) has(id uint32) bool {
	switch {
	case h == nil:
		return false
	case h.set != nil:
		return h.set.has(id)
	}
	return h.some>>(id&63)&1 == 1 && slices.Contains(h.list, id)
}

// partners are the heads to which the corpus has a relation of a head.
type partners struct {
	// id is that of the head, from 1 on; 0 where the corpus has no relation of it.
	id uint32
	// subjects are those that it is the object of, objects those that it is the
	// subject of; nil where they are too few to tell what it does not go with.
	subjects, objects headSet
	// ends has the classes of its relations in order, and at the same places others
	// has the heads at the other end.
	ends   []end
	others []heads
}

// end is one end of the relations of a class, twice the number of the class, and one
// more where subjects stand at the other.
type end uint32

func endOf(class uint32, subjects bool) end {
	if subjects {
		return end(class<<1 | 1)
	}
	return end(class << 1)
}

// related are the heads at the other end of the relations of a class, nil where
// there are none.
func (p *partners) related(e end) *heads {
	if i, ok := slices.BinarySearch(p.ends, e); ok {
		return &p.others[i]
	}
	return nil
}

// wellKnown is how many partners a head must have for one that it lacks to be
// implausible.
const wellKnown = 24

// headSet is a set of heads by their ids: bit i is set where head i is in it. A nil one has none.
type headSet []uint64

func (s headSet) has(id uint32) bool { return s != nil && s[id>>6]>>(id&63)&1 == 1 }
func (s headSet) add(id uint32)      { s[id>>6] |= 1 << (id & 63) }

// headID is the id of a noun's head.
func (v *vocabulary) headID(noun string) uint32 {
	if p := v.partners.heads[noun[strings.LastIndexByte(noun, ' ')+1:]]; p != nil {
		return p.id
	}
	return 0
}

// classOf is the class of a relation: its place ("sitting on", "atop"), else the
// last word of its preposition, else its verb.
func classOf(r *predicate) string {
	if r.prep == "" {
		return r.verb
	}
	for i := range places {
		if p := &places[i]; p.place == r.place {
			return p.words[0]
		}
	}
	return r.prep[strings.LastIndexByte(r.prep, ' ')+1:]
}

// newPairs reads counts of CountBetween, sorted by key.
func newPairs(lex *lexicon.Lexicon, in *lexicon.Inflector, between []schemas.Count) pairs {
	all := pairs{heads: map[string]*partners{}, classes: map[string]uint32{}, misplaced: map[string]headSet{}}
	var byID []*partners
	head := func(text string) *partners {
		p := all.heads[text]
		if p == nil {
			p = &partners{id: uint32(len(byID) + 1)}
			all.heads[strings.Clone(text)] = p
			byID = append(byID, p)
		}
		return p
	}
	type classed struct {
		class uint32
		verb  string
	}
	classes := map[string]classed{}
	classify := func(relation string) classed {
		c, ok := classes[relation]
		if !ok {
			r := newPredicate(lex, in, relation, "")
			class := classOf(&r)
			if class != "" && all.classes[class] == 0 {
				all.classes[class] = uint32(len(all.classes) + 1)
			}
			c = classed{all.classes[class], r.verb}
			classes[relation] = c
		}
		return c
	}
	type pair struct{ subject, object *partners }
	var seen []pair
	type use struct{ head, class uint32 }
	uses, inAll := map[use]int64{}, map[uint32]int64{}            // of an object by class, and in all
	subjects, objects := map[*partners]int{}, map[*partners]int{} // how many of them
	related, acting := map[uint32]map[end][]uint32{}, map[string][]uint32{}
	for _, c := range between {
		first, rest, _ := strings.Cut(c.Key, "\t")
		second, relation, _ := strings.Cut(rest, "\t")
		p := pair{head(first), head(second)}
		is := classify(relation)
		uses[use{p.object.id, is.class}] += c.N
		inAll[p.object.id] += c.N
		if relation == "of" && c.N < 2 {
			continue // of which most are slips
		}
		relate := func(p *partners, e end, other uint32) {
			if related[p.id] == nil {
				related[p.id] = map[end][]uint32{}
			}
			related[p.id][e] = append(related[p.id][e], other)
		}
		relate(p.subject, endOf(is.class, false), p.object.id)
		relate(p.object, endOf(is.class, true), p.subject.id)
		if is.verb != "" {
			acting[is.verb] = append(acting[is.verb], p.subject.id)
		}
		if n := len(seen); n > 0 && seen[n-1] == p {
			continue // another relation between the same
		}
		seen = append(seen, p)
		objects[p.subject]++
		subjects[p.object]++
	}
	words := len(byID)/64 + 1
	placed := map[uint32]int{} // how many heads are the object of a class
	for u := range uses {
		placed[u.class]++
	}
	for place, class := range all.classes {
		told := placed[class] >= wellKnown && contains(prepositions, place) // where the others do not stand
		common := contains(" on in at under above ", place)
		if !told && !common {
			continue
		}
		set := make(headSet, words)
		for _, p := range byID {
			n, of := uses[use{p.id, class}], inAll[p.id]
			if told && n == 0 || common && of >= wellKnown && n*25 < of {
				set.add(p.id)
			}
		}
		all.misplaced[place] = set
	}
	for id, ends := range related {
		p := byID[id-1]
		p.ends = slices.Sorted(maps.Keys(ends))
		for _, e := range p.ends {
			p.others = append(p.others, newHeads(ends[e], words))
		}
	}
	all.acting = make(map[string]*heads, len(acting))
	for verb, ids := range acting {
		h := newHeads(ids, words)
		all.acting[verb] = &h
	}
	add := func(s *headSet, n int, id uint32) {
		if n < wellKnown {
			return
		}
		if *s == nil {
			*s = make(headSet, words)
		}
		s.add(id)
	}
	for _, p := range seen {
		add(&p.subject.objects, objects[p.subject], p.object.id)
		add(&p.object.subjects, subjects[p.object], p.subject.id)
	}
	return all
}

// newHeads makes heads of a list of ids, which it sorts. Sets of heads have that many words.
func newHeads(ids []uint32, words int) heads {
	slices.Sort(ids)
	h := heads{list: slices.Clone(slices.Compact(ids))}
	if len(h.list) >= wellKnown {
		h.set = make(headSet, words)
	}
	for _, id := range h.list {
		if h.some |= 1 << (id & 63); h.set != nil {
			h.set.add(id)
		}
	}
	if h.set != nil {
		h.list = nil
	}
	return h
}
