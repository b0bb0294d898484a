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
	// counts and cum are those of objects.
	counts map[string]uint64
	cum    []uint64
	// back is, of each candidate, one more than the summed count of those that can
	// replace it; 0 until it is asked for.
	back    []uint64
	choices map[string]*choices
}

// choices are the candidates of a list that can replace a word.
type choices struct {
	of *candidates
	// at are their places in the list and cum their summed counts, as in Candidate.
	// Of objects nearly all fit: at is nil and all candidates are meant.
	at  []int32
	cum []uint64
	z   uint64 // summed count of those that can replace the word
}

// choice is one candidate of a list.
type choice struct {
	of   *candidates
	at   int
	text string
}

// empty holds where there is nothing to pick.
func (c *choices) empty() bool { return len(c.cum) == 0 }

// pick takes a candidate with a probability in proportion to its count.
func (c *choices) pick(r *random) choice {
	x := r.next() % c.cum[len(c.cum)-1]
	low, high := 0, len(c.cum)-1
	for low < high {
		if middle := int(uint(low+high) / 2); c.cum[middle] > x {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if c.at != nil {
		low = int(c.at[low])
	}
	return choice{c.of, low, c.of.list[low].Text}
}
