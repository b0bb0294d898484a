package vocabulary

import (
	"maps"
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/schemas"
)

// pairs has the heads between which the corpus has relations, and the classes of these relations.
type pairs struct {
	Heads map[string]*Partners
	// Classes gives each class of relations a number, from 1.
	Classes map[string]uint32
	// Acting has, for each verb, the heads that are its subject.
	Acting map[string]*Heads
	// Misplaced has, for each class, the heads that are hardly ever its object.
	Misplaced map[string]HeadSet
}

// Heads is a set of ids of heads: a list if it is small, else a HeadSet. For each id i, bit i&63 of some is set, for a
// fast test.
type Heads struct {
	list []uint32
	some uint64
	set  HeadSet
}

// Has reports whether the set has an id. A nil set has none.
func (h *Heads) Has(id uint32) bool {
	switch {
	case h == nil:
		return false
	case h.set != nil:
		return h.set.Has(id)
	}
	return h.some>>(id&63)&1 == 1 && slices.Contains(h.list, id)
}

// Partners has the heads to which the corpus relates a head.
type Partners struct {
	// Id is the id of the head, from 1; 0 if the corpus has no relation of it.
	Id uint32
	// Subjects are the heads that are the subject of a relation to this head, Objects those that are the object. A set
	// is nil if it would be too small to exclude others.
	Subjects, Objects HeadSet
	// ends has the ends of relations with this head, sorted; others[i] has the heads at ends[i].
	ends   []end
	others []Heads
}

// end is an end of the relations of a class: twice the number of the class, plus 1 for the subject.
type end uint32

// EndOf returns the end of a class at which its subjects are, or its objects.
func EndOf(class uint32, subjects bool) end {
	if subjects {
		return end(class<<1 | 1)
	}
	return end(class << 1)
}

// Related returns the heads that have relations of a class with this head and are at end e, or nil.
func (p *Partners) Related(e end) *Heads {
	if i, ok := slices.BinarySearch(p.ends, e); ok {
		return &p.others[i]
	}
	return nil
}

// WellKnown is the number of partners from which a head's lack of another partner counts as evidence.
const WellKnown = 24

// HeadSet is a set of ids of heads: bit i is set if it has id i. A nil set has none.
type HeadSet []uint64

func (s HeadSet) Has(id uint32) bool { return s != nil && s[id>>6]>>(id&63)&1 == 1 }
func (s HeadSet) add(id uint32)      { s[id>>6] |= 1 << (id & 63) }

// HeadID returns the id of a noun's head, or 0.
func (v *Vocabulary) HeadID(noun string) uint32 {
	if p := v.Partners.Heads[noun[strings.LastIndexByte(noun, ' ')+1:]]; p != nil {
		return p.Id
	}
	return 0
}

// newPairs makes pairs from counts of kind Between, which are sorted by key.
func newPairs(lex *lexicon.Lexicon, in *lexicon.Inflector, between []schemas.Count) pairs {
	all := pairs{Heads: map[string]*Partners{}, Classes: map[string]uint32{}, Misplaced: map[string]HeadSet{}}
	var byID []*Partners
	head := func(text string) *Partners {
		p := all.Heads[text]
		if p == nil {
			p = &Partners{Id: uint32(len(byID) + 1)}
			all.Heads[strings.Clone(text)] = p
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
			r := grammar.NewPredicate(lex, in, relation, "")
			class := grammar.ClassOf(&r)
			if class != "" && all.Classes[class] == 0 {
				all.Classes[class] = uint32(len(all.Classes) + 1)
			}
			c = classed{all.Classes[class], r.Verb}
			classes[relation] = c
		}
		return c
	}
	type pair struct{ subject, object *Partners }
	var seen []pair
	type use struct{ head, class uint32 }
	uses, inAll := map[use]int64{}, map[uint32]int64{}            // counts of an object in a class, and in all
	subjects, objects := map[*Partners]int{}, map[*Partners]int{} // numbers of distinct partners
	related, acting := map[uint32]map[end][]uint32{}, map[string][]uint32{}
	for _, c := range between {
		first, rest, _ := strings.Cut(c.Key, "\t")
		second, relation, _ := strings.Cut(rest, "\t")
		p := pair{head(first), head(second)}
		is := classify(relation)
		uses[use{p.object.Id, is.class}] += c.N
		inAll[p.object.Id] += c.N
		if relation == "of" && c.N < 2 {
			continue // most of these are mistakes
		}
		relate := func(p *Partners, e end, other uint32) {
			if related[p.Id] == nil {
				related[p.Id] = map[end][]uint32{}
			}
			related[p.Id][e] = append(related[p.Id][e], other)
		}
		relate(p.subject, EndOf(is.class, false), p.object.Id)
		relate(p.object, EndOf(is.class, true), p.subject.Id)
		if is.verb != "" {
			acting[is.verb] = append(acting[is.verb], p.subject.Id)
		}
		if n := len(seen); n > 0 && seen[n-1] == p {
			continue // the same pair with another relation
		}
		seen = append(seen, p)
		objects[p.subject]++
		subjects[p.object]++
	}
	words := len(byID)/64 + 1
	placed := map[uint32]int{} // number of heads that are the object of a class
	for u := range uses {
		placed[u.class]++
	}
	for place, class := range all.Classes {
		told := placed[class] >= WellKnown && wordclass.Has(grammar.Prepositions, place) // enough to take heads without a count for misplaced
		common := wordclass.Has(" on in at under above ", place)
		if !told && !common {
			continue
		}
		set := make(HeadSet, words)
		for _, p := range byID {
			n, of := uses[use{p.Id, class}], inAll[p.Id]
			if told && n == 0 || common && of >= WellKnown && n*25 < of {
				set.add(p.Id)
			}
		}
		all.Misplaced[place] = set
	}
	for id, ends := range related {
		p := byID[id-1]
		p.ends = slices.Sorted(maps.Keys(ends))
		for _, e := range p.ends {
			p.others = append(p.others, newHeads(ends[e], words))
		}
	}
	all.Acting = make(map[string]*Heads, len(acting))
	for verb, ids := range acting {
		h := newHeads(ids, words)
		all.Acting[verb] = &h
	}
	add := func(s *HeadSet, n int, id uint32) {
		if n < WellKnown {
			return
		}
		if *s == nil {
			*s = make(HeadSet, words)
		}
		s.add(id)
	}
	for _, p := range seen {
		add(&p.subject.Objects, objects[p.subject], p.object.Id)
		add(&p.object.Subjects, subjects[p.object], p.subject.Id)
	}
	return all
}

// newHeads returns the set of a list of ids. It sorts the list. words is the length of a HeadSet.
func newHeads(ids []uint32, words int) Heads {
	slices.Sort(ids)
	h := Heads{list: slices.Clone(slices.Compact(ids))}
	if len(h.list) >= WellKnown {
		h.set = make(HeadSet, words)
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
