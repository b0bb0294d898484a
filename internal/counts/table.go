package counts

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"capgraph/schemas"
)

// Table adds up counts in memory. It is used by one goroutine at a time.
type Table struct {
	kinds map[string]map[string]*int64
	last  map[string]*int64
	kind  string
	bytes int
}

// bytesPerKey is an estimate of the memory of a key except its bytes: its slot in the map, its string
// header and its count.
const bytesPerKey = 64

// NewTable returns an empty table.
func NewTable() *Table { return &Table{kinds: map[string]map[string]*int64{}} }

// Add adds n to the count of key.
func (t *Table) Add(kind, key string, n int64) {
	if kind != t.kind || t.last == nil {
		keys := t.kinds[kind]
		if keys == nil {
			keys = map[string]*int64{}
			t.kinds[kind] = keys
		}
		t.kind, t.last = kind, keys
	}
	if p := t.last[key]; p != nil {
		*p += n
		return
	}
	first := new(int64) // taking the address of n would allocate it in each call
	*first = n
	t.last[strings.Clone(key)] = first
	t.bytes += len(key) + bytesPerKey
}

// Bytes returns an estimate of the table's memory.
func (t *Table) Bytes() int { return t.bytes }

// Reset empties the table.
func (t *Table) Reset() { *t = *NewTable() }

// AddTable adds all counts of other.
func (t *Table) AddTable(other *Table) {
	for kind, keys := range other.kinds {
		for key, n := range keys {
			t.Add(kind, key, *n)
		}
	}
}

// Sorted yields the counts, sorted by kind and key.
func (t *Table) Sorted() iter.Seq[schemas.Count] {
	return func(yield func(schemas.Count) bool) {
		kinds := make([]string, 0, len(t.kinds))
		for kind := range t.kinds {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		for _, kind := range kinds {
			rows := make([]schemas.Count, 0, len(t.kinds[kind]))
			for key, n := range t.kinds[kind] {
				rows = append(rows, schemas.Count{Kind: kind, Key: key, N: *n})
			}
			slices.SortFunc(rows, func(a, b schemas.Count) int { return cmp.Compare(a.Key, b.Key) })
			for _, row := range rows {
				if !yield(row) {
					return
				}
			}
		}
	}
}
