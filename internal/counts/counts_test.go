package counts

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
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

func runOf(t *testing.T, table *Table) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := Write(&file, Rows(table.Sorted()), parquetio.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// The counts of a corpus do not depend on how it is cut into shards.
func TestMergedRunsAreTheCountsOfTheWhole(t *testing.T) {
	whole := NewTable()
	for _, parts := range []int{1, 2, 7, 40} {
		tables := make([]*Table, parts)
		for i := range tables {
			tables[i] = NewTable()
		}
		for i := range 20000 {
			kind, key, n := fmt.Sprintf("kind%d", i%3), fmt.Sprintf("kéy %d", i*i%997), int64(i%5+1)
			tables[i%parts].Add(kind, key, n)
			if parts == 1 {
				whole.Add(kind, key, n)
			}
		}
		var runs []iter.Seq2[schemas.Count, error]
		for _, table := range tables {
			data := runOf(t, table)
			runs = append(runs, Read(bytes.NewReader(data), int64(len(data))))
		}
		if got, want := collect(t, Merge(runs)), slices.Collect(whole.Sorted()); !slices.Equal(got, want) {
			t.Errorf("%d parts: %d merged counts are not the %d of the whole", parts, len(got), len(want))
		}
	}
}

func TestAKeyOutlivesTheBufferItCameFrom(t *testing.T) {
	table, buffer := NewTable(), []byte("dog")
	table.Add("object", string(buffer), 1)
	copy(buffer, "cat")
	table.Add("object", "dog", 1)
	want := []schemas.Count{{Kind: "object", Key: "dog", N: 2}}
	if got := slices.Collect(table.Sorted()); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNoRunsMergeToNothing(t *testing.T) {
	if got := collect(t, Merge(nil)); got != nil {
		t.Errorf("got %v", got)
	}
	data := runOf(t, NewTable())
	if got := collect(t, Merge([]iter.Seq2[schemas.Count, error]{Read(bytes.NewReader(data), int64(len(data)))})); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestADamagedRunIsAnError(t *testing.T) {
	table := NewTable()
	for i := range 1000 {
		table.Add("object", fmt.Sprint(i), 1)
	}
	data := runOf(t, table)
	for _, cut := range []int{0, 1, 10, len(data) / 2, len(data) - 1} {
		var failed error
		for _, err := range Merge([]iter.Seq2[schemas.Count, error]{Read(bytes.NewReader(data[:cut]), int64(cut))}) {
			failed = errors.Join(failed, err)
		}
		if failed == nil {
			t.Errorf("a run cut to %d of %d bytes gave no error", cut, len(data))
		}
	}
}

func TestCountingAKnownKeyAllocatesNothing(t *testing.T) {
	table := NewTable()
	table.Add("object", "dog", 1)
	if n := testing.AllocsPerRun(100, func() { table.Add("object", "dog", 1) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
