package stages

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// duplicateList is the list of rows that repeat an earlier row. Each shard reads its own part.
type duplicateList struct {
	folder  folder.Folder
	isEmpty func() (bool, error) // reports whether the list is empty; read once
}

func newDuplicateList(f folder.Folder) *duplicateList {
	return &duplicateList{f, sync.OnceValues(func() (bool, error) { return isListEmpty(f.ReadCounts) })}
}

// isListEmpty reports whether the list of duplicates has no rows.
func isListEmpty(read func(name string) (iter.Seq2[schemas.Count, error], error)) (bool, error) {
	rows, err := read(folder.Duplicates)
	if err != nil {
		return false, err
	}
	for _, err := range rows {
		return false, err
	}
	return true, nil
}

// markBatches adds the column colRepeats to the batches of a shard of graphs/. It returns them
// unchanged if the list is empty.
func (d *duplicateList) markBatches(b pipeline.Batches, mem memory.Allocator, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
	none, err := d.isEmpty()
	if err != nil || none {
		return b, err
	}
	first, last, err := sourceRowRange(d.folder, mem, s.Name)
	if err != nil {
		return b, err
	}
	source, repeats := x.Files[s.File].Name, map[int64]bool{}
	for c, err := range d.folder.ReadCountRange(folder.ReducedFile(folder.Duplicates), curate.KindDrop, curate.Place(source, first), curate.Place(source, last)) {
		if err != nil {
			return b, err
		}
		row, err := curate.PlaceRow(c.Key)
		if err != nil {
			return b, fmt.Errorf("the list of duplicates: %w", err)
		}
		repeats[row] = true
	}
	return &repeatMarker{b, repeats, mem}, nil
}

// sourceRowRange returns the lowest and the highest source row of a shard of graphs/. For an empty
// shard first is greater than last.
func sourceRowRange(f folder.Folder, mem memory.Allocator, shard string) (first, last int64, err error) {
	batches, err := f.ReadShard(mem, folder.PassParse, shard, []string{schemas.ColImageKey, schemas.ColSourceRow})
	if err != nil {
		return 0, 0, err
	}
	defer batches.Close()
	first = math.MaxInt64
	for {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return first, last, nil
		}
		if err != nil {
			return 0, 0, err
		}
		rows, err := schemas.Column[*array.Int64](rec, schemas.ColSourceRow)
		if err == nil && rows.Len() > 0 {
			first = min(first, slices.Min(rows.Int64Values()))
			last = max(last, slices.Max(rows.Int64Values()))
		}
		rec.Release()
		if err != nil {
			return 0, 0, err
		}
	}
}

// colRepeats is the column of a batch of graphs that marks the rows that repeat an earlier row.
const colRepeats = "repeats"

// repeatMarker adds the column colRepeats to batches.
type repeatMarker struct {
	pipeline.Batches
	repeats map[int64]bool // rows of the source
	mem     memory.Allocator
}

func (b *repeatMarker) Next() (arrow.Record, []folder.Reject, error) {
	rec, rejects, err := b.Batches.Next()
	if err != nil {
		return nil, nil, err
	}
	defer rec.Release()
	rows, err := schemas.Column[*array.Int64](rec, schemas.ColSourceRow)
	if err != nil {
		return nil, nil, err
	}
	out := array.NewBooleanBuilder(b.mem)
	defer out.Release()
	for _, row := range rows.Int64Values() {
		out.Append(b.repeats[row])
	}
	return schemas.Assign(rec, []arrow.Field{schemas.Field(colRepeats, arrow.FixedWidthTypes.Boolean)}, []arrow.Array{out.NewArray()}), rejects, nil
}

// repeatsOf returns a function that reports whether a row of the batch repeats an earlier row.
// Without the column colRepeats no row does.
func repeatsOf(in arrow.Record) (func(row int) bool, error) {
	if !in.Schema().HasField(colRepeats) {
		return func(int) bool { return false }, nil
	}
	column, err := schemas.Column[*array.Boolean](in, colRepeats)
	if err != nil {
		return nil, err
	}
	return column.Value, nil
}
