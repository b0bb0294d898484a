package stages

import (
	"context"
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

// sign counts the buckets in which duplicates meet and assigns nothing.
type sign struct{ mode string }

func signColumns() []string {
	return []string{schemas.ColText, schemas.ColSource, schemas.ColSourceRow, schemas.ColKey}
}

// Process implements pipeline.Stage.
func (s sign) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, schemas.ColText, schemas.ColSource, schemas.ColKey)
	if err != nil {
		return nil, err
	}
	rows, err := schemas.Column[*array.Int64](in, schemas.ColSourceRow)
	if err != nil {
		return nil, err
	}
	for i := range int(in.NumRows()) {
		curate.EachKey(s.mode, columns[0].Value(i), columns[1].Value(i), rows.Value(i), columns[2].Value(i), report.Count)
	}
	in.Retain()
	return in, nil
}

// countVersion names what writes the list of duplicates, where there is one.
func countVersion(mode string) string {
	if mode == curate.DedupeOff {
		return maker
	}
	return curate.Version + " " + maker
}

// tallyVersion names what counts.
func tallyVersion(mode string) string { return tallier + " " + countVersion(mode) }

// duplicates is the list of the rows that repeat an earlier one, of which each shard
// reads its own.
type duplicates struct {
	folder folder.Folder
	none   func() (bool, error) // whether the list is empty; read once
}

func newDuplicates(f folder.Folder) *duplicates {
	return &duplicates{f, sync.OnceValues(func() (bool, error) { return isListEmpty(f.Counts) })}
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

// marked gives the batches of a shard of graphs/ with the column colRepeats, unless no
// row of any shard repeats another.
func (d *duplicates) marked(b pipeline.Batches, mem memory.Allocator, x *folder.Index, s folder.Shard) (pipeline.Batches, error) {
	none, err := d.none()
	if err != nil || none {
		return b, err
	}
	first, last, err := sourceRows(d.folder, mem, s.Name)
	if err != nil {
		return b, err
	}
	source, repeats := x.Files[s.File].Name, map[int64]bool{}
	for c, err := range d.folder.CountsFrom(folder.Reduced(folder.Duplicates), curate.KindDrop, curate.Place(source, first), curate.Place(source, last)) {
		if err != nil {
			return b, err
		}
		row, err := curate.PlaceRow(c.Key)
		if err != nil {
			return b, fmt.Errorf("the list of duplicates: %w", err)
		}
		repeats[row] = true
	}
	return &markedBatches{b, repeats, mem}, nil
}

// sourceRows are the lowest and the highest row of the source that a shard of graphs/ has;
// the lowest is the higher where it has none.
func sourceRows(f folder.Folder, mem memory.Allocator, shard string) (first, last int64, err error) {
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

// colRepeats is the column of a batch of graphs that tells which rows repeat an earlier
// one.
const colRepeats = "repeats"

// markedBatches adds the column colRepeats.
type markedBatches struct {
	pipeline.Batches
	repeats map[int64]bool // rows of the source
	mem     memory.Allocator
}

func (b *markedBatches) Next() (arrow.Record, []folder.Reject, error) {
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

// repeats tells for each row of a batch whether it repeats an earlier one; none does
// where a batch has no such column.
func repeats(in arrow.Record) (func(row int) bool, error) {
	if !in.Schema().HasField(colRepeats) {
		return func(int) bool { return false }, nil
	}
	column, err := schemas.Column[*array.Boolean](in, colRepeats)
	if err != nil {
		return nil, err
	}
	return column.Value, nil
}
