// Package witharrow17 writes record batches with the Parquet writer of Arrow 17.
package witharrow17

import (
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
)

// Write writes the batches, which have one schema, as one Parquet file: compressed
// as capgraph's are, and otherwise with the writer's own settings, or with alike
// with those that are most like capgraph's.
func Write(w io.Writer, batches []arrow.Record, alike bool) error {
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1)}
	if alike {
		options = append(options, parquet.WithMaxRowGroupLength(122_880), parquet.WithStats(false),
			parquet.WithDataPageSize(240<<10), parquet.WithDictionaryPageSizeLimit(256<<10),
			parquet.WithDictionaryFor("neg_score.list.element", false))
	}
	p, err := pqarrow.NewFileWriter(batches[0].Schema(), w, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err := p.WriteBuffered(b); err != nil {
			return err
		}
	}
	return p.Close()
}
