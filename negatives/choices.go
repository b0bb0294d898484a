package negatives

// candidates are a list of the vocabulary with what is known of its words, each
// looked up once.
type candidates struct {
	kind SlotKind
	list []Candidate
	// The words' meanings, of which those of the kind are filled.
	properties []*property
	relations  []*relation
	actions    []*verb
	nouns      []*noun // nil until it is asked for
	// index has the places of the words of a long list of objects.
	index map[string]int
	// back is, of each candidate but for objects, one more than the summed count of
	// those that can replace it; 0 until it is asked for.
	back    []uint64
	choices map[uint32]choices // by the id of the word that is replaced
}

// weight is the count of the candidate at a place.
func (l *candidates) weight(at int) uint64 {
	if at == 0 {
		return l.list[0].Cum
	}
	return l.list[at].Cum - l.list[at-1].Cum
}

// total is the summed count of all.
func (l *candidates) total() uint64 { return l.list[len(l.list)-1].Cum }

// place is where a word is in the list, −1 where it is not.
func (l *candidates) place(word string) int {
	if l.index != nil {
		if at, ok := l.index[word]; ok {
			return at
		}
		return -1
	}
	for at := range l.list {
		if l.list[at].Text == word {
			return at
		}
	}
	return -1
}

// choices are the candidates of a list that can replace a word.
type choices struct {
	of *candidates
	// fit are those that can, and their counts summed up. Of objects nearly all can:
	// fit is nil and the whole list is meant.
	fit []fitting
	z   uint64 // summed count of those that can replace the word
}

type fitting struct {
	at  int
	cum uint64
}

// choice is one candidate of a list.
type choice struct {
	of   *candidates
	at   int
	text string
}

// empty holds where there is nothing to pick.
func (c *choices) empty() bool { return c.of == nil || c.of.kind != SlotObject && len(c.fit) == 0 }

// pick takes a candidate with a probability in proportion to its count. It looks
// among the first before it halves the rest: most often they are meant.
func (c *choices) pick(r *random) choice {
	list, x := c.of.list, r.next()
	if c.of.kind == SlotObject {
		x %= list[len(list)-1].Cum
		low, high := 0, len(list)-1
		for end := 4; end < high && low < high; end *= 4 {
			if list[end].Cum > x {
				high = end
			} else {
				low = end + 1
			}
		}
		for low < high {
			if middle := int(uint(low+high) / 2); list[middle].Cum > x {
				high = middle
			} else {
				low = middle + 1
			}
		}
		return choice{c.of, low, list[low].Text}
	}
	x %= c.fit[len(c.fit)-1].cum
	low, high := 0, len(c.fit)-1
	for low < high {
		if middle := int(uint(low+high) / 2); c.fit[middle].cum > x {
			high = middle
		} else {
			low = middle + 1
		}
	}
	at := c.fit[low].at
	return choice{c.of, at, list[at].Text}
}
