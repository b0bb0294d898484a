package features

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Table writes features as Parquet: the columns key and feature, a list of
// float32 of one length in all rows.
type Table struct {
	out  *parquet.GenericWriter[record]
	rows []record
}

type record struct {
	Key     string    `parquet:"key"`
	Feature []float32 `parquet:"feature,list"`
}

// tableRows is how many rows are in a row group: of 512 numbers, 16 MiB.
const tableRows = 1 << 13

// NewTable returns a table that goes to w. model is the name of what encoded, which
// the file says too.
func NewTable(w io.Writer, model string) *Table {
	return &Table{out: parquet.NewGenericWriter[record](w, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("capgraph", "", ""),
		parquet.MaxRowsPerRowGroup(tableRows), parquet.KeyValueMetadata("model", model))}
}

// Write appends rows.
func (t *Table) Write(keys []string, features [][]float32) error {
	if len(keys) != len(features) {
		return fmt.Errorf("%d keys of %d features", len(keys), len(features))
	}
	t.rows = t.rows[:0]
	for i, key := range keys {
		t.rows = append(t.rows, record{key, features[i]})
	}
	_, err := t.out.Write(t.rows)
	return err
}

// Close writes the end of the file.
func (t *Table) Close() error { return t.out.Close() }
