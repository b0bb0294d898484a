package negatives

// table maps ids that are not 0 to values, so that a look-up mostly takes one
// step.
type table[V any] struct {
	cells []tableCell[V] // a power of two of them
	n     int
}

type tableCell[V any] struct {
	id    uint64 // 0 where there is none
	value V
}

// pair is the id of two things together.
func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// at is the cell of an id, or the one where it belongs.
func (t *table[V]) at(id uint64) *tableCell[V] {
	for i := id * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		c := &t.cells[i&uint64(len(t.cells)-1)]
		if c.id == id || c.id == 0 {
			return c
		}
	}
}

func (t *table[V]) get(id uint64) (value V, ok bool) {
	if len(t.cells) == 0 {
		return value, false
	}
	c := t.at(id)
	return c.value, c.id != 0
}

// put adds an id that is not there yet.
func (t *table[V]) put(id uint64, value V) {
	if t.n++; 2*t.n > len(t.cells) {
		old := t.cells
		t.cells = make([]tableCell[V], max(8, 2*len(old)))
		for _, c := range old {
			if c.id != 0 {
				*t.at(c.id) = c
			}
		}
	}
	*t.at(id) = tableCell[V]{id, value}
}
