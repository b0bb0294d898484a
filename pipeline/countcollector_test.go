package pipeline

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"sync"
	"testing"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/store"
)

func collect(t *testing.T, rows iter.Seq2[schemas.Count, error]) []schemas.Count {
	t.Helper()
	var all []schemas.Count
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// Counts that do not fit in memory are the same as those that do, and leave
// nothing behind.
func TestCountsSpill(t *testing.T) {
	var want []schemas.Count
	for _, small := range []int{1 << 30, 1000, 100} {
		f := folder.Folder{Store: store.Local{}, Dir: t.TempDir()}
		c := newCountCollector(f)
		c.maxTable, c.maxTotal = small, 2*small
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				for batch := range 20 {
					table := c.borrowTable()
					for i := range 10 {
						table.Add("object", fmt.Sprint((g*7+batch*3+i)%83), int64(i+1))
						table.Add("relation", fmt.Sprint(i%5), 1)
					}
					if err := c.returnTable(table); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		rows, err := c.sortedRows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := collect(t, rows)
		if want == nil {
			want = got
		} else if len(c.runs) == 0 {
			t.Errorf("with %d bytes nothing was spilled", small)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("with %d bytes: %v, want %v", small, got, want)
		}
		c.discardRuns()
		left, err := filepath.Glob(filepath.Join(f.Dir, ".capgraph", "tmp", "*"))
		hidden, err2 := filepath.Glob(filepath.Join(f.Dir, ".capgraph", "tmp", ".*"))
		if len(left)+len(hidden) > 0 || err != nil || err2 != nil {
			t.Errorf("left behind: %v %v", left, hidden)
		}
	}
}
