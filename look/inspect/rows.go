package inspect

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// GraphRow is a row of graphs/ with its graph.
type GraphRow struct {
	Key, ImageKey, Image, Caption, Source, Text, Parser string
	SourceRow                                           int64
	Confidence                                          float32
	Graph                                               schemas.SceneGraph
}

// ReadTexts yields the rows of a shard of texts/ from row number first on. A row is valid until the
// next one.
func ReadTexts(f folder.Folder, shard string, first int64) iter.Seq2[*schemas.TextsRow, error] {
	var row schemas.TextsRow
	return readRows(f, folder.PassTexts, shard, first, nil, func(rec arrow.Record) (func(int) (*schemas.TextsRow, error), error) {
		view, err := schemas.NewTextsView(rec)
		if err != nil {
			return nil, err
		}
		return func(i int) (*schemas.TextsRow, error) {
			if err := view.At(i, &row); err != nil {
				return nil, fmt.Errorf("row with key %q: %w", row.Key, err)
			}
			return &row, nil
		}, nil
	})
}

// ReadGraphs yields the rows of a shard of graphs/ from row number first on. A row is valid until
// the next one.
func ReadGraphs(f folder.Folder, shard string, first int64) iter.Seq2[*GraphRow, error] {
	var row GraphRow
	names := []string{schemas.ColKey, schemas.ColImageKey, schemas.ColImage, schemas.ColCaption, schemas.ColSource, schemas.ColText, schemas.ColParser}
	columns := append(names, schemas.ColSourceRow, schemas.ColConfidence, schemas.ColGraph)
	return readRows(f, folder.PassParse, shard, first, columns, func(rec arrow.Record) (func(int) (*GraphRow, error), error) {
		c, err := schemas.Strings(rec, names...)
		if err != nil {
			return nil, err
		}
		sourceRow, err := schemas.Column[*array.Int64](rec, schemas.ColSourceRow)
		if err != nil {
			return nil, err
		}
		confidence, err := schemas.Column[*array.Float32](rec, schemas.ColConfidence)
		if err != nil {
			return nil, err
		}
		graphs, err := schemas.NewGraphView(rec)
		if err != nil {
			return nil, err
		}
		return func(i int) (*GraphRow, error) {
			row.Key, row.ImageKey, row.Image, row.Caption = c[0].Value(i), c[1].Value(i), c[2].Value(i), c[3].Value(i)
			row.Source, row.Text, row.Parser = c[4].Value(i), c[5].Value(i), c[6].Value(i)
			row.SourceRow, row.Confidence = sourceRow.Value(i), confidence.Value(i)
			graphs.WholeAt(i, &row.Graph)
			return &row, nil
		}, nil
	})
}

// ReadRejects yields the rows that a pass rejected in a shard.
func ReadRejects(f folder.Folder, pass folder.Pass, shard string) iter.Seq2[*folder.Reject, error] {
	var row folder.Reject
	return readFile(f, folder.RejectsFile(pass, shard), 0, nil, func(rec arrow.Record) (func(int) (*folder.Reject, error), error) {
		c, err := schemas.Strings(rec, schemas.ColSource, schemas.ColKey, schemas.ColImageKey, schemas.ColCaption, schemas.ColStage, schemas.ColReason, schemas.ColDetail)
		if err != nil {
			return nil, err
		}
		sourceRow, err := schemas.Column[*array.Int64](rec, schemas.ColSourceRow)
		if err != nil {
			return nil, err
		}
		return func(i int) (*folder.Reject, error) {
			row = folder.Reject{Source: c[0].Value(i), SourceRow: sourceRow.Value(i), Key: c[1].Value(i), ImageKey: c[2].Value(i),
				Caption: c[3].Value(i), Stage: c[4].Value(i), Reason: c[5].Value(i), Detail: c[6].Value(i)}
			return &row, nil
		}, nil
	})
}

// readRows yields the rows of a shard from row number first on. view is called for each batch and
// returns a function that returns its i-th row.
func readRows[R any](f folder.Folder, pass folder.Pass, shard string, first int64, columns []string, view func(arrow.Record) (func(int) (*R, error), error)) iter.Seq2[*R, error] {
	return readFile(f, folder.DataFile(pass, shard), first, columns, view)
}

// readFile yields the rows of a file, as readRows does.
func readFile[R any](f folder.Folder, name string, first int64, columns []string, view func(arrow.Record) (func(int) (*R, error), error)) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		path := f.Path(name)
		fail := func(err error) { yield(nil, fmt.Errorf("%s: %w", path, err)) }
		in, err := f.Store.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		r, err := parquetio.NewReader(in, in.Size(), parquetio.ReaderOptions{
			Columns: columns, BatchRows: 256, BatchBytes: 1 << 20, Mem: memory.DefaultAllocator,
		})
		if err != nil {
			fail(err)
			return
		}
		defer r.Close()
		if first > r.NumRows() {
			return
		}
		if first > 0 {
			if err := r.SeekToRow(first); err != nil {
				fail(err)
				return
			}
		}
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				fail(err)
				return
			}
			at, err := view(rec)
			if err != nil {
				rec.Release()
				fail(err)
				return
			}
			for i := range int(rec.NumRows()) {
				row, err := at(i)
				if err != nil {
					rec.Release()
					fail(err)
					return
				}
				if !yield(row, nil) {
					rec.Release()
					return
				}
			}
			rec.Release()
		}
	}
}
