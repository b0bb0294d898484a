package witharrow17

import (
	"io"
	"testing"

	"capgraph/bench/parquet/compare"
)

func TestSame(t *testing.T) {
	batches := compare.Shard(t)
	compare.Same(t, "arrow17", func(w io.Writer) error { return Write(w, batches, false) })
	compare.Same(t, "arrow17-alike", func(w io.Writer) error { return Write(w, batches, true) })
}

func BenchmarkArrow17(b *testing.B) {
	batches := compare.Shard(b)
	for name, alike := range map[string]bool{"default": false, "alike": true} {
		b.Run(name, func(b *testing.B) {
			compare.Speed(b, compare.Rows(batches), func(w io.Writer) error { return Write(w, batches, alike) })
		})
	}
}
