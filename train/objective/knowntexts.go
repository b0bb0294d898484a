package objective

import "slices"

// columnsBy has the columns of a mask by a key of their texts, to look up what is true of an image.
type columnsBy[K comparable] struct {
	last     map[K]int32 // the last column of a key
	previous []int32     // of a column: the one of its key before it; -1 if there is none
	columns  []int32
}

// reset forgets the columns of the batch before.
func (t *columnsBy[K]) reset() {
	if t.last == nil {
		t.last = map[K]int32{}
	}
	clear(t.last)
	t.previous, t.columns = t.previous[:0], t.columns[:0]
}

// add adds the text of a column.
func (t *columnsBy[K]) add(key K, column int) {
	before, ok := t.last[key]
	if !ok {
		before = -1
	}
	t.last[key] = int32(len(t.columns))
	t.previous, t.columns = append(t.previous, before), append(t.columns, int32(column))
}

// eachColumn calls do with the columns of a key.
func (t *columnsBy[K]) eachColumn(key K, do func(column int32)) {
	at, ok := t.last[key]
	for ok && at >= 0 {
		do(t.columns[at])
		at = t.previous[at]
	}
}

// markKnown marks, in a row of the mask, the columns of the texts that are known to be true of an
// image by their ids.
func markKnown(t *columnsBy[int64], row []byte, known []int64, as byte) {
	for _, id := range known {
		t.eachColumn(id, func(column int32) { row[column] = as })
	}
}

// statements are what the texts of columns state, to look up which an image entails.
type statements struct {
	byPart columnsBy[int32] // by the first part of the text, as indices of texts
	texts  []statement
}

// statement is the text of a column, drawn of an image, with its parts.
type statement struct {
	column, image int
	parts         []int32
}

func (t *statements) reset() {
	t.byPart.reset()
	t.texts = t.texts[:0]
}

// add adds the text of a column, which was drawn of an image. A text without parts is entailed by
// none.
func (t *statements) add(column, image int, parts []int32) {
	if len(parts) > 0 {
		t.byPart.add(parts[0], len(t.texts))
		t.texts = append(t.texts, statement{column, image, parts})
	}
}

// markEntailed marks, in a row of the mask, the columns of the texts of other images whose parts are all stated of this image.
func (t *statements) markEntailed(row []byte, image int, known []int32, as byte) {
	for _, part := range known {
		t.byPart.eachColumn(part, func(i int32) {
			if s := &t.texts[i]; s.image != image && containsAll(known, s.parts) {
				row[s.column] = as
			}
		})
	}
}

// containsAll reports whether all has each of some; both are ascending.
func containsAll(all, some []int32) bool {
	for _, x := range some {
		at, ok := slices.BinarySearch(all, x)
		if !ok {
			return false
		}
		all = all[at+1:]
	}
	return true
}
