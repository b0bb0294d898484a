// Package withparquetgo writes record batches as capgraph does.
package withparquetgo

import (
	"io"

	"capgraph/internal/parquetio"

	"github.com/apache/arrow/go/v17/arrow"
)

// Write writes the batches, which have one schema, as one Parquet file.
func Write(w io.Writer, batches []arrow.Record) error {
	p, err := parquetio.NewWriter(w, batches[0].Schema(), parquetio.WriterOptions{})
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err := p.Write(b); err != nil {
			return err
		}
	}
	return p.Close()
}
