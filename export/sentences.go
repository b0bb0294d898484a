package export

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/internal/usage"
	"capgraph/schemas"
)

// maxNegativeColumns is the greatest number of negatives of a row.
const maxNegativeColumns = 64

// writeSentences writes a Parquet file for sentence-transformers. anchor is a caption, positive a part
// of it, and negative_1 … are negatives of that part, which are false if the caption is true. Parts with
// too few negatives are left out.
func writeSentences(ctx context.Context, o Options) (s Summary, err error) {
	if o.Negatives < 1 || o.Negatives > maxNegativeColumns {
		return s, usage.Errorf("--negatives=%d: want 1 to %d", o.Negatives, maxNegativeColumns)
	}
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	fields := []arrow.Field{{Name: "anchor", Type: arrow.BinaryTypes.String}, {Name: "positive", Type: arrow.BinaryTypes.String}}
	for i := range o.Negatives {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("negative_%d", i+1), Type: arrow.BinaryTypes.String})
	}
	return s, writeFile(o, func(w io.Writer) error {
		out, err := newStringTable(w, arrow.NewSchema(fields, nil))
		if err != nil {
			return err
		}
		for r, err := range readRows(o, shards) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			written, err := out.appendParts(r, o.Negatives)
			switch {
			case err != nil:
				return err
			case written == 0:
				s.leaveOut(fmt.Sprintf("no part with %d or more negatives", o.Negatives))
			default:
				s.Written++
			}
		}
		return out.closeFile()
	})
}

// stringTable writes rows of strings to a Parquet file.
type stringTable struct {
	file    *parquetio.Writer
	columns *array.RecordBuilder
	rows    int
}

func newStringTable(w io.Writer, schema *arrow.Schema) (*stringTable, error) {
	file, err := parquetio.NewWriter(w, schema, parquetio.WriterOptions{})
	if err != nil {
		return nil, err
	}
	return &stringTable{file: file, columns: array.NewRecordBuilder(memory.DefaultAllocator, schema)}, nil
}

// appendParts appends a row for each part of the caption that has at least that many negatives, and returns
// how many it appended.
func (t *stringTable) appendParts(r *Row, negatives int) (written int, err error) {
	for i, p := range r.Positives {
		if p.Kind == schemas.KindCaption || p.Text == r.Text {
			continue
		}
		cells := []string{r.Text, p.Text}
		for _, n := range r.Negatives {
			if int(n.Of) == i && len(cells) < negatives+2 {
				cells = append(cells, n.Text)
			}
		}
		if len(cells) < negatives+2 {
			continue
		}
		if err := t.appendRow(cells); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

func (t *stringTable) appendRow(cells []string) error {
	for i, c := range cells {
		t.columns.Field(i).(*array.StringBuilder).Append(c)
	}
	if t.rows++; t.rows < parquetio.DefaultBatchRows {
		return nil
	}
	return t.writeBatch()
}

func (t *stringTable) writeBatch() error {
	t.rows = 0
	rec := t.columns.NewRecord()
	defer rec.Release()
	return t.file.Write(rec)
}

func (t *stringTable) closeFile() error {
	if t.rows > 0 {
		if err := t.writeBatch(); err != nil {
			return err
		}
	}
	t.columns.Release()
	return t.file.Close()
}
