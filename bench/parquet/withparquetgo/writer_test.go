package withparquetgo

import (
	"io"
	"testing"

	"capgraph/bench/parquet/compare"
)

func TestSame(t *testing.T) {
	batches := compare.Shard(t)
	compare.Same(t, "parquet-go", func(w io.Writer) error { return Write(w, batches) })
}

func BenchmarkParquetGo(b *testing.B) {
	batches := compare.Shard(b)
	compare.Speed(b, compare.Rows(batches), func(w io.Writer) error { return Write(w, batches) })
}
