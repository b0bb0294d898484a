package pipeline

import (
	"context"
	"errors"
	"iter"
	"sync"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/schemas"
)

// Limits of the memory for the counts of a shard, in bytes. A goroutine's table larger than maxTable
// is added to the shard's. A shard's larger than maxTotal is written to a temporary file.
const (
	maxTable = 4 << 20
	maxTotal = 32 << 20
)

// countCollector adds up the counts of a shard, and writes them to sorted runs if they become
// large.
type countCollector struct {
	folder             folder.Folder
	maxTable, maxTotal int

	mu    sync.Mutex
	free  []*counts.Table
	total *counts.Table
	runs  []folder.CountRun
}

func newCountCollector(f folder.Folder) *countCollector {
	return &countCollector{folder: f, maxTable: maxTable, maxTotal: maxTotal, total: counts.NewTable()}
}

// borrowTable returns a table for one goroutine, which returns it by returnTable.
func (c *countCollector) borrowTable() *counts.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		table := c.free[n-1]
		c.free = c.free[:n-1]
		return table
	}
	return counts.NewTable()
}

// returnTable takes back a table that borrowTable returned.
func (c *countCollector) returnTable(table *counts.Table) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, table)
	if table.Bytes() < c.maxTable {
		return nil
	}
	return c.addTable(table)
}

// addTable moves the counts of a table to the shard's table.
func (c *countCollector) addTable(table *counts.Table) error {
	c.total.AddTable(table)
	table.Reset()
	if c.total.Bytes() < c.maxTotal {
		return nil
	}
	run, err := c.folder.WriteTempRun(counts.Rows(c.total.Sorted()))
	if err != nil {
		return err
	}
	c.runs = append(c.runs, run)
	c.total.Reset()
	return nil
}

// sortedRows returns all counts, sorted by kind and key. No goroutine may count any more.
func (c *countCollector) sortedRows(ctx context.Context) (iter.Seq2[schemas.Count, error], error) {
	var errs []error
	for _, table := range c.free {
		errs = append(errs, c.addTable(table))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	rest := counts.Rows(c.total.Sorted())
	if len(c.runs) == 0 {
		return rest, nil
	}
	return counts.Merge([]iter.Seq2[schemas.Count, error]{c.folder.MergeRuns(ctx, c.runs), rest}), nil
}

// discardRuns removes the temporary files.
func (c *countCollector) discardRuns() { folder.DiscardRuns(c.runs) }
