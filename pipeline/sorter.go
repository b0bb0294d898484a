package pipeline

import (
	"context"
	"iter"

	"capgraph/internal/counts"
	"capgraph/schemas"
)

// Sorter sorts and adds up counts, in temporary files if they do not fit in memory. It is used by
// one goroutine. The caller must call Discard.
type Sorter struct {
	all   *countCollector
	table *counts.Table
}

// NewSorter returns a sorter with temporary files in the folder.
func (r *Reducer) NewSorter() *Sorter {
	all := newCountCollector(r.Folder)
	return &Sorter{all, all.borrowTable()}
}

// Add adds n to the count of a key of a kind.
func (s *Sorter) Add(kind, key string, n int64) error {
	s.table.Add(kind, key, n)
	if s.table.Bytes() < s.all.maxTable {
		return nil
	}
	return s.all.addTable(s.table)
}

// Rows returns all counts, sorted by kind and key. Nothing may be added after.
func (s *Sorter) Rows(ctx context.Context) (iter.Seq2[schemas.Count, error], error) {
	if err := s.all.addTable(s.table); err != nil {
		return nil, err
	}
	return s.all.sortedRows(ctx)
}

// Discard removes the temporary files.
func (s *Sorter) Discard() { s.all.discardRuns() }
