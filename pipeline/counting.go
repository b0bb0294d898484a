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

// How much memory the counts of a shard may take, in bytes: those of one
// goroutine before they go to those of the shard, and these before they go to
// a temporary run.
const (
	maxTable = 4 << 20
	maxTotal = 32 << 20
)

// counting adds up the counts of a shard: a table for each goroutine that
// counts, one for the shard, and runs for what does not fit in memory.
type counting struct {
	folder             folder.Folder
	maxTable, maxTotal int

	mu    sync.Mutex
	free  []*counts.Table
	total *counts.Table
	runs  []folder.CountRun
}

func newCounting(f folder.Folder) *counting {
	return &counting{folder: f, maxTable: maxTable, maxTotal: maxTotal, total: counts.NewTable()}
}

// take gives a table to one goroutine.
func (c *counting) take() *counts.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		table := c.free[n-1]
		c.free = c.free[:n-1]
		return table
	}
	return counts.NewTable()
}

// give takes a table back.
func (c *counting) give(table *counts.Table) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, table)
	if table.Bytes() < c.maxTable {
		return nil
	}
	return c.add(table)
}

// add moves the counts of a table to those of the shard.
func (c *counting) add(table *counts.Table) error {
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

// rows gives all counts in their order, when no goroutine counts any more.
func (c *counting) rows(ctx context.Context) (iter.Seq2[schemas.Count, error], error) {
	var errs []error
	for _, table := range c.free {
		errs = append(errs, c.add(table))
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

// discard removes the temporary runs.
func (c *counting) discard() { folder.DiscardRuns(c.runs) }
