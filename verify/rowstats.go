package verify

import (
	"maps"
	"slices"

	"capgraph/folder"
)

// rowStats are statistics counted from the rows of a shard, for comparison with its entry.
type rowStats struct {
	rows   int64
	counts map[string]int64
}

func (f *rowStats) add(name string, n int) {
	if f.counts == nil {
		f.counts = map[string]int64{}
	}
	f.counts[name] += int64(n)
}

// compareStats compares the named statistics of an entry with those counted from its rows. It does nothing
// if some rows could not be read, which is reported already.
func (c *check) compareStats(e *folder.Entry, found rowStats, names ...string) {
	if found.rows != e.RowsOut {
		return
	}
	for _, name := range names {
		if e.Stats[name] != found.counts[name] {
			c.addProblem(c.folder.Path(folder.EntryFile(e.Pass, e.Shard)), c.rebuildHint(e.Pass, e.Shard),
				"its %s are %d, and its rows have %d", name, e.Stats[name], found.counts[name])
		}
	}
}

// reportNegative reports statistics of an entry that are below 0.
func (c *check) reportNegative(e *folder.Entry) {
	where, remedy := c.folder.Path(folder.EntryFile(e.Pass, e.Shard)), c.rebuildHint(e.Pass, e.Shard)
	if e.RowsIn < 0 || e.RowsOut < 0 {
		c.addProblem(where, remedy, "%d rows went in and %d came out", e.RowsIn, e.RowsOut)
	}
	for _, of := range []struct {
		name   string
		counts map[string]int64
	}{{"rejects", e.Rejects}, {"stats", e.Stats}} {
		for _, name := range slices.Sorted(maps.Keys(of.counts)) {
			if n := of.counts[name]; n < 0 {
				c.addProblem(where, remedy, "%s of its %s is %d", name, of.name, n)
			}
		}
	}
}
