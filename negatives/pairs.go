package negatives

// pairs are the heads between which the corpus has a relation.
type pairs struct {
	heads map[string]partners
	seen  idSet
}

// pairID is of a subject and an object: another for each two ids, and spread.
func pairID(subject, object uint32) int64 {
	return int64((uint64(subject)<<32 | uint64(object)) * 0x9E3779B97F4A7C15)
}

// partners says with how many others a head is seen.
type partners struct {
	id uint32
	// subjects are those that it is the object of, objects those that it is the
	// subject of.
	subjects, objects int
}

// wellKnown is how many partners a head must have for one that it lacks to be
// implausible.
const wellKnown = 24

func newPairs() pairs { return pairs{heads: map[string]partners{}} }

func (p *pairs) add(subject, object string) {
	if !p.seen.add(pairID(p.id(subject), p.id(object))) {
		return
	}
	s := p.heads[subject]
	s.objects++
	p.heads[subject] = s
	o := p.heads[object]
	o.subjects++
	p.heads[object] = o
}

// id is that of a head, from 1 on.
func (p *pairs) id(head string) uint32 {
	h, ok := p.heads[head]
	if !ok {
		h.id = uint32(len(p.heads) + 1)
		p.heads[head] = h
	}
	return h.id
}

// mayBeSubject holds where the corpus has a relation of n to the object, or says
// too little of the object to tell.
func (p *pairs) mayBeSubject(n, object *headword) bool {
	return object.subjects < wellKnown || p.seen.has(pairID(n.id, object.id))
}

// mayBeObject holds where the corpus has a relation of the subject to n, or says
// too little of the subject to tell.
func (p *pairs) mayBeObject(n, subject *headword) bool {
	return subject.objects < wellKnown || p.seen.has(pairID(subject.id, n.id))
}
