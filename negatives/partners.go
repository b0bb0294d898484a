package negatives

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/schemas"
)

// pairs are what heads the corpus has relations between, and of what classes.
type pairs struct {
	heads map[string]*partners
	// classes numbers the classes of relations from 1 on.
	classes map[string]uint32
	// counts are of each class between two heads.
	counts map[related]int64
}

// related is a class of relations between two heads, by their numbers.
type related struct{ subject, class, object uint32 }

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
	all := pairs{map[string]*partners{}, map[string]uint32{}, map[related]int64{}}
	head := func(text string) *partners {
		p := all.heads[text]
		if p == nil {
			p = &partners{id: uint32(len(all.heads) + 1)}
			all.heads[strings.Clone(text)] = p
		}
		return p
	}
	ofRelation := map[string]uint32{}
	class := func(relation string) uint32 {
		n, ok := ofRelation[relation]
		if !ok {
			name := classOf(newRelation(lex, in, relation, ""))
			if n = all.classes[name]; n == 0 {
				n = uint32(len(all.classes) + 1)
				all.classes[name] = n
			}
			ofRelation[relation] = n
		}
		return n
	}
	type pair struct{ subject, object *partners }
	var seen []pair
	subjects, objects := map[*partners]int{}, map[*partners]int{} // how many of them
	for _, c := range between {
		subject, rest, _ := strings.Cut(c.Key, "\t")
		object, relation, _ := strings.Cut(rest, "\t")
		p := pair{head(subject), head(object)}
		all.counts[related{p.subject.id, class(relation), p.object.id}] += c.N
		if n := len(seen); n > 0 && seen[n-1] == p {
			continue // another relation between the same
		}
		seen = append(seen, p)
		objects[p.subject]++
		subjects[p.object]++
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
	for _, p := range seen {
		add(&p.subject.objects, objects[p.subject], p.object.id)
		add(&p.object.subjects, subjects[p.object], p.subject.id)
	}
	return all
}

// usually is how often the corpus must have a class of relations between two
// heads for one of them to stand for a word of another kind.
const usually = 2
