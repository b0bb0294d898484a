package features

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Table writes features as Parquet, with the columns key and feature. feature is a list of float32,
// of the same length in all rows.
type Table struct {
	out  *parquet.GenericWriter[record]
	rows []record
}

type record struct {
	Key     string    `parquet:"key"`
	Feature []float32 `parquet:"feature,list"`
}

// tableRows is the number of rows in a row group: 16 MiB for 512 numbers.
const tableRows = 1 << 13

// NewTable returns a table that is written to w. model is the name of the encoder, which is written
// to the file's metadata.
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
