package evalneg

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/schemas"
)

// decodeTexts reads one Parquet file of texts/.
func decodeTexts(f *os.File, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := readTexts(f, name, yield); err != nil {
			yield(Row{}, err)
		}
	}
}

func readTexts(f *os.File, name string, yield func(Row, error) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var columns []string
	fields := schemas.TextsSchema().Fields()
	for _, c := range fields {
		columns = append(columns, c.Name)
	}
	r, err := schemas.NewParquetReader(f, info.Size(), schemas.ReaderOptions{Columns: columns, Types: fields})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	for n := 0; ; {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s, after row %d: %w", name, n, err)
		}
		more, err := readBatch(rec, name, &n, yield)
		rec.Release()
		if err != nil || !more {
			return err
		}
	}
}

// readBatch gives the rows of a batch; n is the number of the next one.
func readBatch(rec arrow.Record, name string, n *int, yield func(Row, error) bool) (more bool, err error) {
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil {
		return false, err
	}
	images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return false, err
	}
	view, err := schemas.NewPoolView(rec)
	if err != nil {
		return false, err
	}
	var pool schemas.Pool
	for i := range int(rec.NumRows()) {
		place := fmt.Sprintf("%s, row %d (key %s)", name, *n, keys.Value(i))
		if err := view.At(i, &pool); err != nil {
			return false, fmt.Errorf("%s: %w", place, err)
		}
		if len(pool.Positives) == 0 {
			return false, fmt.Errorf("%s: no positive; the caption itself should be the first", place)
		}
		*n++
		if !yield(rowOf(&pool, images.Value(i)), nil) {
			return false, nil
		}
	}
	return true, nil
}

// rowOf copies what is measured out of the batch.
func rowOf(pool *schemas.Pool, image string) Row {
	row := Row{Image: strings.Clone(image), Positives: make([]string, len(pool.Positives)), Negatives: make([]Negative, len(pool.Negatives))}
	for i, p := range pool.Positives {
		row.Positives[i] = strings.Clone(p.Text)
	}
	for i, n := range pool.Negatives {
		row.Negatives[i] = Negative{Text: strings.Clone(n.Text), Of: int(n.Of), Method: strings.Clone(n.Method), Changed: strings.Clone(n.Changed)}
	}
	return row
}
