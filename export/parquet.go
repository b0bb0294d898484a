package export

import (
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

type parquetRows struct {
	file      *parquetio.Writer
	columns   *array.RecordBuilder // key, image_key, image, text
	positives schemas.PositivesBuilder
	negatives schemas.NegativesBuilder
	rows      int
	bytes     int // of their texts
}

// NewParquet returns a writer of rows to a Parquet file with the columns of texts/.
func NewParquet(w io.Writer) (RowWriter, error) {
	schema := schemas.TextsSchema()
	file, err := parquetio.NewWriter(w, schema, parquetio.WriterOptions{})
	if err != nil {
		return nil, err
	}
	return &parquetRows{
		file:    file,
		columns: array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(schema.Fields()[:4], nil)),
	}, nil
}

func (p *parquetRows) Write(r *Row) error {
	for i, s := range []string{r.Key, r.ImageKey, r.Image, r.Text} {
		p.columns.Field(i).(*array.StringBuilder).Append(s)
	}
	if err := errors.Join(p.positives.Append(r.Positives), p.negatives.Append(r.Negatives)); err != nil {
		return err
	}
	p.rows++
	p.bytes += sizeOf(r)
	if p.rows == parquetio.DefaultBatchRows || p.bytes >= parquetio.DefaultBatchBytes {
		return p.flush()
	}
	return nil
}

func (p *parquetRows) flush() error {
	first := p.columns.NewRecord()
	defer first.Release()
	columns := first.Columns()
	added := append(p.positives.NewColumns(), p.negatives.NewColumns()...)
	rec := array.NewRecord(schemas.TextsSchema(), append(columns[:len(columns):len(columns)], added...), int64(p.rows))
	for _, c := range added {
		c.Release()
	}
	defer rec.Release()
	p.rows, p.bytes = 0, 0
	return p.file.Write(rec)
}

func (p *parquetRows) Close() error {
	if p.rows > 0 {
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.columns.Release()
	return p.file.Close()
}
