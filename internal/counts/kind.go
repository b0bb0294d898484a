package counts

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// ReadKind yields the rows of a kind in a run, in order, and reads little else of the run.
func ReadKind(r io.ReaderAt, size int64, kind string) iter.Seq2[schemas.Count, error] {
	return readMatching(r, size, schemas.Count{Kind: kind}, func(c schemas.Count) int { return strings.Compare(c.Kind, kind) })
}

// ReadRange is like ReadKind for the keys from first to last.
func ReadRange(r io.ReaderAt, size int64, kind, first, last string) iter.Seq2[schemas.Count, error] {
	return readMatching(r, size, schemas.Count{Kind: kind, Key: first}, func(c schemas.Count) int {
		if by := strings.Compare(c.Kind, kind); by != 0 {
			return by
		}
		switch {
		case c.Key < first:
			return -1
		case c.Key > last:
			return 1
		}
		return 0
	})
}

// readMatching yields the rows for which where returns 0. where returns less for rows before them, and
// more for rows after them. No matching row is before first.
func readMatching(r io.ReaderAt, size int64, first schemas.Count, where func(schemas.Count) int) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		pr, err := parquetio.NewReader(r, size, parquetio.ReaderOptions{BatchRows: batchRows, BatchBytes: batchBytes})
		if err == nil {
			defer pr.Close()
			err = seekBefore(r, size, pr, first)
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
				if err != nil {
					return yield(c, err)
				}
				at := where(c)
				return at < 0 || at == 0 && yield(c, nil)
			})
			rec.Release()
			if !more {
				return
			}
		}
	}
}

// seekBefore moves pr to a row at most batchRows before first.
func seekBefore(r io.ReaderAt, size int64, pr *parquetio.Reader, first schemas.Count) error {
	names := []string{schemas.ColKind}
	if first.Key != "" {
		names = append(names, schemas.ColKey)
	}
	rows, err := parquetio.NewReader(r, size, parquetio.ReaderOptions{Columns: names, BatchRows: 1})
	if err != nil {
		return err
	}
	defer rows.Close()
	below, end := int64(0), rows.NumRows()
	for end-below > batchRows {
		middle := (below + end) / 2
		before, err := rowIsBefore(rows, middle, first)
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

// rowIsBefore reports whether a row is before first, by kind and key.
func rowIsBefore(rows *parquetio.Reader, row int64, first schemas.Count) (bool, error) {
	if err := rows.SeekToRow(row); err != nil {
		return false, err
	}
	rec, err := rows.Next()
	if err != nil {
		return false, err
	}
	defer rec.Release()
	kinds, err := schemas.Column[*array.String](rec, schemas.ColKind)
	if err != nil {
		return false, fmt.Errorf("not a file of counts: %w", err)
	}
	if kind := kinds.Value(0); kind != first.Kind || first.Key == "" {
		return kind < first.Kind, nil
	}
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil {
		return false, fmt.Errorf("not a file of counts: %w", err)
	}
	return keys.Value(0) < first.Key, nil
}
