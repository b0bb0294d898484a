package counts

import (
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// Writer writes a run row by row.
type Writer struct {
	file      *parquetio.Writer
	rows      *array.RecordBuilder
	kind, key *array.StringBuilder
	n         *array.Int64Builder
}

// NewWriter returns a writer of a run.
func NewWriter(w io.Writer, o parquetio.WriterOptions) (*Writer, error) {
	schema := schemas.CountsSchema()
	file, err := parquetio.NewWriter(w, schema, o)
	if err != nil {
		return nil, err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	return &Writer{file, b, b.Field(0).(*array.StringBuilder), b.Field(1).(*array.StringBuilder), b.Field(2).(*array.Int64Builder)}, nil
}

// Add writes a row. Rows must be sorted by kind and key.
func (w *Writer) Add(row schemas.Count) error {
	w.kind.Append(row.Kind)
	w.key.Append(row.Key)
	w.n.Append(row.N)
	if w.n.Len() < batchRows {
		return nil
	}
	return w.flush()
}

// AddAll writes rows until the first error, of rows or of the writer.
func (w *Writer) AddAll(rows iter.Seq2[schemas.Count, error]) error {
	for row, err := range rows {
		if err == nil {
			err = w.Add(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) flush() error {
	rec := w.rows.NewRecord()
	defer rec.Release()
	return w.file.Write(rec)
}

// Close writes the remaining rows and completes the file.
func (w *Writer) Close() error {
	defer w.rows.Release()
	if err := w.flush(); err != nil {
		return err
	}
	return w.file.Close()
}
