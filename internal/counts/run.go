package counts

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// A batch of a run is small: many runs are read at one time.
const (
	batchRows  = 8192
	batchBytes = 1 << 20
)

// Write writes rows, sorted by kind and key, as a run.
func Write(w io.Writer, rows iter.Seq2[schemas.Count, error], o parquetio.WriterOptions) error {
	out, err := NewWriter(w, o)
	if err != nil {
		return err
	}
	if err := out.AddAll(rows); err != nil {
		return err
	}
	return out.Close()
}

// Rows adds nil errors to a sequence of rows.
func Rows(rows iter.Seq[schemas.Count]) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		for row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Read yields the rows of a run in order, up to the first error. Their strings are copies.
func Read(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		pr, err := parquetio.NewReader(r, size, parquetio.ReaderOptions{BatchRows: batchRows, BatchBytes: batchBytes})
		if err != nil {
			yield(schemas.Count{}, err)
			return
		}
		defer pr.Close()
		for {
			rec, err := pr.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(schemas.Count{}, err)
				return
			}
			more := readBatch(rec, yield)
			rec.Release()
			if !more {
				return
			}
		}
	}
}

// readBatch yields the rows of a batch. It reports whether to continue.
func readBatch(rec arrow.Record, yield func(schemas.Count, error) bool) bool {
	kinds, err := schemas.Column[*array.String](rec, schemas.ColKind)
	keys, err2 := schemas.Column[*array.String](rec, schemas.ColKey)
	ns, err3 := schemas.Column[*array.Int64](rec, schemas.ColCount)
	if err := errors.Join(err, err2, err3); err != nil {
		return yield(schemas.Count{}, fmt.Errorf("not a file of counts: %w", err))
	}
	kind := ""
	for i := range int(rec.NumRows()) {
		if kinds.Value(i) != kind {
			kind = strings.Clone(kinds.Value(i))
		}
		key := strings.Clone(keys.Value(i))
		if !yield(schemas.Count{Kind: kind, Key: key, N: ns.Value(i)}, nil) {
			return false
		}
	}
	return true
}
