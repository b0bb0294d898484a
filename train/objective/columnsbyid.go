package objective

// columnsByID has the columns of a mask by the ids of their texts, to look up what is true of an
// image.
type columnsByID struct {
	last     map[int64]int32 // the last column of an id
	previous []int32         // of a column: the one of its id before it; -1 for none
	columns  []int32
}

// reset forgets the columns of the batch before.
func (t *columnsByID) reset() {
	if t.last == nil {
		t.last = map[int64]int32{}
	}
	clear(t.last)
	t.previous, t.columns = t.previous[:0], t.columns[:0]
}

// add adds the text of a column.
func (t *columnsByID) add(id int64, column int) {
	before, ok := t.last[id]
	if !ok {
		before = -1
	}
	t.last[id] = int32(len(t.columns))
	t.previous, t.columns = append(t.previous, before), append(t.columns, int32(column))
}

// markKnown marks, in a row of the mask, the columns of the texts that are known to be true of an
// image.
func (t *columnsByID) markKnown(row []byte, known []int64, as byte) {
	for _, id := range known {
		at, ok := t.last[id]
		for ok && at >= 0 {
			row[t.columns[at]] = as
			at = t.previous[at]
		}
	}
}
