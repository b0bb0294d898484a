package counts

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// ReadKind gives the rows of a kind in a run, in their order, and reads little
// else of it. Errors are as those of Read.
func ReadKind(r io.ReaderAt, size int64, kind string) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		pr, err := parquetio.NewReader(r, size, parquetio.ReaderOptions{BatchRows: batchRows})
		if err == nil {
			defer pr.Close()
			err = seekKind(r, size, pr, kind)
		}
		if err != nil {
			yield(schemas.Count{}, err)
			return
		}
		for {
			rec, err := pr.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(schemas.Count{}, err)
				return
			}
			more := readBatch(rec, func(c schemas.Count, err error) bool {
				switch {
				case err != nil || c.Kind == kind:
					return yield(c, err)
				default:
					return c.Kind < kind
				}
			})
			rec.Release()
			if !more {
				return
			}
		}
	}
}

// seekKind moves pr to a row before which there is none of the kind, nor much after
// it that comes before the kind.
func seekKind(r io.ReaderAt, size int64, pr *parquetio.Reader, kind string) error {
	kinds, err := parquetio.NewReader(r, size, parquetio.ReaderOptions{Columns: []string{schemas.ColKind}, BatchRows: 1})
	if err != nil {
		return err
	}
	defer kinds.Close()
	below, end := int64(0), kinds.NumRows()
	for end-below > batchRows {
		middle := (below + end) / 2
		before, err := comesBefore(kinds, middle, kind)
		if err != nil {
			return err
		}
		if before {
			below = middle
		} else {
			end = middle
		}
	}
	return pr.SeekToRow(below)
}

// comesBefore tells whether a row is of a kind that comes before another.
func comesBefore(kinds *parquetio.Reader, row int64, kind string) (bool, error) {
	if err := kinds.SeekToRow(row); err != nil {
		return false, err
	}
	rec, err := kinds.Next()
	if err != nil {
		return false, err
	}
	defer rec.Release()
	of, err := schemas.Column[*array.String](rec, schemas.ColKind)
	if err != nil {
		return false, fmt.Errorf("not a file of counts: %w", err)
	}
	return of.Value(0) < kind, nil
}
