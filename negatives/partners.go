package negatives

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// pairs are what heads the corpus has relations between, and of what classes.
type pairs struct {
	heads map[string]*partners
	// classes numbers the classes of relations, and their verbs, from 1 on.
	classes map[string]uint32
	// others are the heads at the other end.
	others map[end]*heads
	// misplaced are the heads that are hardly ever the object of a class.
	misplaced map[uint32]headSet
}

// heads are ids of heads: a set, or where they are few a list, of which some has
// bit i&63 for each id i.
type heads struct {
	list []uint32
	some uint64
	set  headSet
}

// bit is 1 where an id is among them, which it is not among no heads.
func (h *heads) bit(id uint32) uint64 {
	switch {
	case h == nil:
		return 0
	case h.set != nil:
		return h.set.bit(id)
	}
	if h.some>>(id&63)&1 == 1 && slices.Contains(h.list, id) {
		return 1
	}
	return 0
}

// end is one end of the relations of a class: a head with its subjects or its
// objects. Head 0 is any.
type end struct {
	head, class uint32
	subjects    bool
}

// partners are the heads to which the corpus has a relation of a head.
type partners struct {
	// id is that of the head, from 1 on; 0 where the corpus has no relation of it.
	id uint32
	// subjects are those that it is the object of, objects those that it is the
	// subject of; nil where they are too few to tell what it does not go with.
	subjects, objects headSet
}

// wellKnown is how many partners a head must have for one that it lacks to be
// implausible.
const wellKnown = 24

// headSet is a set of heads by their ids: bit i is set where head i is in it.
type headSet []uint64

func (s headSet) bit(id uint32) uint64 { return s[id>>6] >> (id & 63) & 1 }
func (s headSet) add(id uint32)        { s[id>>6] |= 1 << (id & 63) }

// headID is the id of a noun's head.
func (v *Vocabulary) headID(noun string) uint32 {
	if p := v.partners.heads[noun[strings.LastIndexByte(noun, ' ')+1:]]; p != nil {
		return p.id
	}
	return 0
}

// classOf is the class of a relation: its place ("sitting on", "atop"), else the
// last word of its preposition, else its verb.
func classOf(r *relation) string {
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
	all := pairs{map[string]*partners{}, map[string]uint32{}, map[end]*heads{}, map[uint32]headSet{}}
	head := func(text string) *partners {
		p := all.heads[text]
		if p == nil {
			p = &partners{id: uint32(len(all.heads) + 1)}
			all.heads[strings.Clone(text)] = p
		}
		return p
	}
	number := func(class string) uint32 {
		if class != "" && all.classes[class] == 0 {
			all.classes[class] = uint32(len(all.classes) + 1)
		}
		return all.classes[class]
	}
	others := map[end][]uint32{}
	classes := map[string][2]uint32{}
	classesOf := func(relation string) (class, act uint32) {
		both, ok := classes[relation]
		if !ok {
			r := newRelation(lex, in, relation, "")
			both = [2]uint32{number(classOf(r)), number(r.verb)}
			classes[relation] = both
		}
		return both[0], both[1]
	}
	type pair struct{ subject, object *partners }
	var seen []pair
	uses, inAll := map[end]int64{}, map[uint32]int64{}            // of an object by class, and in all
	subjects, objects := map[*partners]int{}, map[*partners]int{} // how many of them
	for _, c := range between {
		subject, rest, _ := strings.Cut(c.Key, "\t")
		object, relation, _ := strings.Cut(rest, "\t")
		p := pair{head(subject), head(object)}
		class, act := classesOf(relation)
		uses[end{p.object.id, class, false}] += c.N
		inAll[p.object.id] += c.N
		if relation == "of" && c.N < 2 {
			continue // of which most are slips
		}
		relate := func(e end, id uint32) {
			if ids := others[e]; len(ids) == 0 || ids[len(ids)-1] != id {
				others[e] = append(ids, id)
			}
		}
		relate(end{p.subject.id, class, false}, p.object.id)
		relate(end{p.object.id, class, true}, p.subject.id)
		if act != 0 {
			relate(end{0, act, true}, p.subject.id)
		}
		if n := len(seen); n > 0 && seen[n-1] == p {
			continue // another relation between the same
		}
		seen = append(seen, p)
		objects[p.subject]++
		subjects[p.object]++
	}
	for _, place := range []string{"on", "in", "at", "under", "above"} {
		class := all.classes[place]
		if class == 0 {
			continue
		}
		set := make(headSet, len(all.heads)/64+1)
		for _, p := range all.heads {
			if n := inAll[p.id]; n >= wellKnown && uses[end{p.id, class, false}]*25 < n {
				set.add(p.id)
			}
		}
		all.misplaced[class] = set
	}
	add := func(s *headSet, n int, id uint32) {
		if n < wellKnown {
			return
		}
		if *s == nil {
			*s = make(headSet, len(all.heads)/64+1)
		}
		s.add(id)
	}
	for e, ids := range others {
		slices.Sort(ids)
		h := &heads{list: slices.Compact(ids)}
		if len(h.list) >= wellKnown {
			h.set = make(headSet, len(all.heads)/64+1)
		}
		for _, id := range h.list {
			if h.some |= 1 << (id & 63); h.set != nil {
				h.set.add(id)
			}
		}
		if h.set != nil {
			h.list = nil
		}
		all.others[e] = h
	}
	for _, p := range seen {
		add(&p.subject.objects, objects[p.subject], p.object.id)
		add(&p.object.subjects, subjects[p.object], p.subject.id)
	}
	return all
}
