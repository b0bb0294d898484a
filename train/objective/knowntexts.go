package objective

import "slices"

// columnIndex finds the columns of a mask by a key of their texts, such as the text's id.
type columnIndex[K comparable] struct {
	last     map[K]int32 // the last entry of each key
	previous []int32     // for each entry, the previous one of the same key, or -1
	columns  []int32
}

// reset removes the columns of the previous batch.
func (t *columnIndex[K]) reset() {
	if t.last == nil {
		t.last = map[K]int32{}
	}
	clear(t.last)
	t.previous, t.columns = t.previous[:0], t.columns[:0]
}

// add adds a column whose text has this key.
func (t *columnIndex[K]) add(key K, column int) {
	before, ok := t.last[key]
	if !ok {
		before = -1
	}
	t.last[key] = int32(len(t.columns))
	t.previous, t.columns = append(t.previous, before), append(t.columns, int32(column))
}

// eachColumn calls do for each column whose text has this key.
func (t *columnIndex[K]) eachColumn(key K, do func(column int32)) {
	at, ok := t.last[key]
	for ok && at >= 0 {
		do(t.columns[at])
		at = t.previous[at]
	}
}

// markKnown sets row, the mask of an image, to as in the columns whose texts are known to be true of the image. known
// has the ids of these texts.
func markKnown(t *columnIndex[int64], row []byte, known []int64, as byte) {
	for _, id := range known {
		t.eachColumn(id, func(column int32) { row[column] = as })
	}
}

// statements are the texts of columns with the parts that they state. They are used to find the texts that an image
// entails.
type statements struct {
	byPart columnIndex[int32] // indices of texts, by the text's first part
	texts  []statement
}

// statement is the text of a column, which was drawn for an image, with its parts.
type statement struct {
	column, image int
	parts         []int32
}

func (t *statements) reset() {
	t.byPart.reset()
	t.texts = t.texts[:0]
}

// add adds the text of a column, which was drawn for an image. A text without parts is entailed by no image.
func (t *statements) add(column, image int, parts []int32) {
	if len(parts) > 0 {
		t.byPart.add(parts[0], len(t.texts))
		t.texts = append(t.texts, statement{column, image, parts})
	}
}

// markEntailed sets row, the mask of an image, to as in the columns of other images' texts whose parts are all in
// known, the parts that the image's captions state.
func (t *statements) markEntailed(row []byte, image int, known []int32, as byte) {
	for _, part := range known {
		t.byPart.eachColumn(part, func(i int32) {
			if s := &t.texts[i]; s.image != image && containsAll(known, s.parts) {
				row[s.column] = as
			}
		})
	}
}

// containsAll reports whether all elements of some are in all. Both are ascending.
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
