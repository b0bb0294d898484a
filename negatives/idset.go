package negatives

import "capgraph/internal/lexicon"

// idSet is a set of text ids. The ids are hashes themselves, so the set does not hash them again.
type idSet struct {
	slots []int64 // the length is a power of two; 0 is an empty slot
	n     int
	zero  bool
}

func (s *idSet) reset() {
	clear(s.slots)
	s.n, s.zero = 0, false
}

// add adds id and reports whether it is new.
func (s *idSet) add(id int64) bool {
	if id == 0 {
		added := !s.zero
		s.zero = true
		return added
	}
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	for i := int(id); ; i++ {
		at := &s.slots[i&(len(s.slots)-1)]
		switch *at {
		case id:
			return false
		case 0:
			*at = id
			s.n++
			return true
		}
	}
}

func (s *idSet) contains(id int64) bool {
	if id == 0 || s.n == 0 {
		return id == 0 && s.zero
	}
	for i := int(id); ; i++ {
		switch s.slots[i&(len(s.slots)-1)] {
		case id:
			return true
		case 0:
			return false
		}
	}
}

func (s *idSet) grow() {
	old := s.slots
	s.slots, s.n = make([]int64, max(64, 2*len(old))), 0
	for _, id := range old {
		if id != 0 {
			s.add(id)
		}
	}
}

// synsets is a set of synsets.
type synsets struct {
	bits  []uint64 // bit x is set if x is in the set
	words []int32  // the indices of the words of bits that are not 0
}

func newSynsets(lex *lexicon.Lexicon) synsets {
	return synsets{bits: make([]uint64, lex.NumSynsets()/64+1)}
}

func (s *synsets) reset() {
	for _, w := range s.words {
		s.bits[w] = 0
	}
	s.words = s.words[:0]
}

func (s *synsets) add(x lexicon.Synset) {
	w := x >> 6
	if s.bits[w] == 0 {
		s.words = append(s.words, int32(w))
	}
	s.bits[w] |= 1 << (x & 63)
}

func (s *synsets) contains(x lexicon.Synset) bool { return s.bits[x>>6]>>(x&63)&1 != 0 }
