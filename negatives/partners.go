package negatives

import (
	"strings"

	"capgraph/schemas"
)

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

func (s headSet) has(id uint32) bool { return s[id>>6]>>(id&63)&1 != 0 }
func (s headSet) add(id uint32)      { s[id>>6] |= 1 << (id & 63) }

// headID is the id of a noun's head.
func (v *Vocabulary) headID(noun string) uint32 {
	if p := v.partners[noun[strings.LastIndexByte(noun, ' ')+1:]]; p != nil {
		return p.id
	}
	return 0
}

// newPartners reads counts of CountBetween, sorted by key.
func newPartners(between []schemas.Count) map[string]*partners {
	heads := map[string]*partners{}
	head := func(text string) *partners {
		p := heads[text]
		if p == nil {
			p = &partners{id: uint32(len(heads) + 1)}
			heads[strings.Clone(text)] = p
		}
		return p
	}
	type pair struct{ subject, object *partners }
	var pairs []pair
	subjects, objects := map[*partners]int{}, map[*partners]int{} // how many of them
	for _, c := range between {
		subject, rest, _ := strings.Cut(c.Key, "\t")
		object, _, _ := strings.Cut(rest, "\t")
		p := pair{head(subject), head(object)}
		if n := len(pairs); n > 0 && pairs[n-1] == p {
			continue // another relation between the same
		}
		pairs = append(pairs, p)
		objects[p.subject]++
		subjects[p.object]++
	}
	add := func(s *headSet, n int, id uint32) {
		if n < wellKnown {
			return
		}
		if *s == nil {
			*s = make(headSet, len(heads)/64+1)
		}
		s.add(id)
	}
	for _, p := range pairs {
		add(&p.subject.objects, objects[p.subject], p.object.id)
		add(&p.object.subjects, subjects[p.object], p.subject.id)
	}
	return heads
}
