package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/store"
)

// More runs than are merged at a time go in rounds; two processes that merge at
// once do not meet; stopped, a merge ends with an error.
func TestMergeInRounds(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	var runs []CountRun
	for i := range 3*fanIn + 1 {
		name := CountsFile("parse", fmt.Sprint(i))
		file, err := f.CreateFile(name)
		if err != nil {
			t.Fatal(err)
		}
		table := counts.NewTable()
		table.Add("object", "dog", 1)
		for j := range 20 {
			table.Add("object", fmt.Sprint(i, "-", j), int64(i))
		}
		if err := counts.Write(file, counts.Rows(table.Sorted()), parquetio.WriterOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := file.Publish(); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, CountRun{name: name})
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			rows := 0
			for row, err := range f.MergeRuns(ctx, runs) {
				if err != nil {
					t.Error(err)
				}
				if rows++; row.Key == "dog" && row.N != int64(len(runs)) {
					t.Errorf("%+v, want %d", row, len(runs))
				}
			}
			if want := 3*fanIn*20 + 1; rows != want {
				t.Errorf("%d rows, want %d", rows, want)
			}
		})
	}
	wait.Wait()
	left, err := os.ReadDir(f.Path(tempDir))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	cancel()
	var failed error
	for _, err := range f.MergeRuns(ctx, runs) {
		failed = err
	}
	if !errors.Is(failed, context.Canceled) {
		t.Errorf("stopped: %v", failed)
	}
}
