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

// pairs are what heads the corpus has relations between, and of what classes.
type pairs struct {
	Heads map[string]*Partners
	// Classes numbers the classes of relations, from 1 on.
	Classes map[string]uint32
	// Acting are the heads that are the subject of a verb.
	Acting map[string]*Heads
	// Misplaced are the heads that are hardly ever the object of a class.
	Misplaced map[string]HeadSet
}

// Heads is a set of ids of heads: a list if they are few. Bit i&63 of some is set for each id i.
type Heads struct {
	list []uint32
	some uint64
	set  HeadSet
}

// Has reports whether an id is among them, which it is not among no heads.
func (h *Heads) Has(id uint32) bool {
	switch {
	case h == nil:
		return false
	case h.set != nil:
		return h.set.Has(id)
	}
	return h.some>>(id&63)&1 == 1 && slices.Contains(h.list, id)
}

// Partners are the heads to which the corpus has a relation of a head.
type Partners struct {
	// Id is the id of the head, from 1; 0 if the corpus has no relation with it.
	Id uint32
	// Subjects are the heads seen as subject of a relation to this noun, Objects the heads seen as
	// object. nil: too few were seen to exclude any.
	Subjects, Objects HeadSet
	// ends has the ends of its relations in order, and others[i] has the heads at the other end of ends[i].
	ends   []end
	others []Heads
}

// end is one end of the relations of a class, twice the number of the class, and one
// more where subjects stand at the other.
type end uint32

// EndOf is the end of a class where its objects stand, or its subjects.
func EndOf(class uint32, subjects bool) end {
	if subjects {
		return end(class<<1 | 1)
	}
	return end(class << 1)
}

// Related are the heads at the other end of the relations of a class, nil if
// there are none.
func (p *Partners) Related(e end) *Heads {
	if i, ok := slices.BinarySearch(p.ends, e); ok {
		return &p.others[i]
	}
	return nil
}

// WellKnown is how many partners a head must have for one that it lacks to be
// implausible.
const WellKnown = 24

// HeadSet is a set of heads by their ids: bit i is set where head i is in it. A nil one has none.
type HeadSet []uint64

func (s HeadSet) Has(id uint32) bool { return s != nil && s[id>>6]>>(id&63)&1 == 1 }
func (s HeadSet) add(id uint32)      { s[id>>6] |= 1 << (id & 63) }

// HeadID is the id of a noun's head.
func (v *Vocabulary) HeadID(noun string) uint32 {
	if p := v.Partners.Heads[noun[strings.LastIndexByte(noun, ' ')+1:]]; p != nil {
		return p.Id
	}
	return 0
}

// newPairs reads counts of CountBetween, sorted by key.
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
	uses, inAll := map[use]int64{}, map[uint32]int64{}            // of an object by class, and in all
	subjects, objects := map[*Partners]int{}, map[*Partners]int{} // how many of them
	related, acting := map[uint32]map[end][]uint32{}, map[string][]uint32{}
	for _, c := range between {
		first, rest, _ := strings.Cut(c.Key, "\t")
		second, relation, _ := strings.Cut(rest, "\t")
		p := pair{head(first), head(second)}
		is := classify(relation)
		uses[use{p.object.Id, is.class}] += c.N
		inAll[p.object.Id] += c.N
		if relation == "of" && c.N < 2 {
			continue // most of them are slips
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
	for place, class := range all.Classes {
		told := placed[class] >= WellKnown && wordclass.Has(grammar.Prepositions, place) // where the others do not stand
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

// newHeads makes heads of a list of ids, which it sorts. Sets of heads have that many words.
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
