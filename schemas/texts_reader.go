package schemas

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
)

// TextsRow is a row of texts/: a caption with its pool.
type TextsRow struct {
	Key, ImageKey, Image, Text string
	Pool
}

// TextsView reads rows of a batch of texts/.
type TextsView struct {
	columns []*array.String
	pools   *PoolView
}

// NewTextsView returns a view of a batch of texts/. The error names a missing column.
func NewTextsView(rec arrow.Record) (*TextsView, error) {
	pools, err := NewPoolView(rec)
	if err != nil {
		return nil, err
	}
	columns, err := Strings(rec, ColKey, ColImageKey, ColImage, ColText)
	if err != nil {
		return nil, err
	}
	return &TextsView{columns, pools}, nil
}

// At reads row i into row. It sets the key even if there is an error in the lists.
func (v *TextsView) At(i int, row *TextsRow) error {
	row.Key, row.ImageKey = v.columns[0].Value(i), v.columns[1].Value(i)
	row.Image, row.Text = v.columns[2].Value(i), v.columns[3].Value(i)
	return v.pools.At(i, &row.Pool)
}

// ReadTexts yields the rows of a Parquet file of texts/ in order. A row is valid until the next
// one. It ends at the first error, which names the row.
func ReadTexts(f io.ReaderAt, size int64) iter.Seq2[*TextsRow, error] {
	return func(yield func(*TextsRow, error) bool) {
		if err := readTexts(f, size, yield); err != nil {
			yield(nil, err)
		}
	}
}

func readTexts(f io.ReaderAt, size int64, yield func(*TextsRow, error) bool) error {
	var names []string
	fields := TextsSchema().Fields()
	for _, c := range fields {
		names = append(names, c.Name)
	}
	r, err := parquetio.NewReader(f, size, parquetio.ReaderOptions{Columns: names, Types: fields})
	if err != nil {
		return err
	}
	defer r.Close()
	row, n := &TextsRow{}, 0
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after row %d: %w", n, err)
		}
		more, err := readTextsBatch(rec, &n, row, yield)
		rec.Release()
		if err != nil || !more {
			return err
		}
	}
}

// readTextsBatch yields the rows of a batch. n is the number of the next row in the file. more is
// false if yield returned false or there was an error.
func readTextsBatch(rec arrow.Record, n *int, row *TextsRow, yield func(*TextsRow, error) bool) (more bool, err error) {
	view, err := NewTextsView(rec)
	if err != nil {
		return false, err
	}
	for i := range int(rec.NumRows()) {
		if err := view.At(i, row); err != nil {
			return false, fmt.Errorf("row %d (key %q): %w", *n, row.Key, err)
		}
		*n++
		if !yield(row, nil) {
			return false, nil
		}
	}
	return true, nil
}
