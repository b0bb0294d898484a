package loader

import (
	"fmt"
	"iter"

	"capgraph/schemas"
	"capgraph/store"
)

// Rows yields the rows of all shards of a corpus, in order. dir is the output folder of a run, or
// its folder texts/. A row is valid until the next one. Rows stops at the first error, which names
// the file and the row.
func Rows(s store.Store, dir string) iter.Seq2[*schemas.TextsRow, error] {
	return func(yield func(*schemas.TextsRow, error) bool) {
		shards, err := findShards(s, 0, dir)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, shard := range shards {
			if !yieldRows(s, shard.path, yield) {
				return
			}
		}
	}
}

// yieldRows yields the rows of one file. It returns false if yield did or if there was an error.
func yieldRows(s store.Store, name string, yield func(*schemas.TextsRow, error) bool) bool {
	f, err := s.Open(name)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer f.Close()
	for row, err := range schemas.ReadTexts(f, f.Size()) {
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return false
		}
		if !yield(row, nil) {
			return false
		}
	}
	return true
}
