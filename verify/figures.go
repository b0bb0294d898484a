package verify

import (
	"maps"
	"slices"

	"capgraph/folder"
)

// figures are what was counted of the rows of a shard.
type figures struct {
	rows int64
	n    map[string]int64
}

func (f *figures) add(name string, n int) {
	if f.n == nil {
		f.n = map[string]int64{}
	}
	f.n[name] += int64(n)
}

// figures compares the figures of those names in an entry with what its rows
// have. Where not all rows could be read that is told already.
func (c *check) figures(e *folder.Entry, found figures, names ...string) {
	if found.rows != e.RowsOut {
		return
	}
	for _, name := range names {
		if e.Stats[name] != found.n[name] {
			c.problem(c.folder.Path(folder.EntryFile(e.Pass, e.Shard)), c.again(e.Pass, e.Shard),
				"its %s are %d, and its rows have %d", name, e.Stats[name], found.n[name])
		}
	}
}

// negative names the figures of an entry that are below 0.
func (c *check) negative(e *folder.Entry) {
	where, remedy := c.folder.Path(folder.EntryFile(e.Pass, e.Shard)), c.again(e.Pass, e.Shard)
	if e.RowsIn < 0 || e.RowsOut < 0 {
		c.problem(where, remedy, "%d rows went in and %d came out", e.RowsIn, e.RowsOut)
	}
	for _, of := range []struct {
		name   string
		counts map[string]int64
	}{{"rejects", e.Rejects}, {"stats", e.Stats}} {
		for _, name := range slices.Sorted(maps.Keys(of.counts)) {
			if n := of.counts[name]; n < 0 {
				c.problem(where, remedy, "%s of its %s is %d", name, of.name, n)
			}
		}
	}
}
