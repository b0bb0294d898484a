package witharrow18

import (
	"bytes"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	before "github.com/apache/arrow/go/v17/arrow"
	ipcbefore "github.com/apache/arrow/go/v17/arrow/ipc"

	"capgraph/bench/parquet/compare"
)

// later are batches of version 17 as those of version 18, by way of a stream.
func later(tb testing.TB, batches []before.Record) (all []arrow.RecordBatch) {
	tb.Helper()
	var stream bytes.Buffer
	w := ipcbefore.NewWriter(&stream, ipcbefore.WithSchema(batches[0].Schema()))
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	r, err := ipc.NewReader(&stream)
	if err != nil {
		tb.Fatal(err)
	}
	for r.Next() {
		r.RecordBatch().Retain()
		all = append(all, r.RecordBatch())
	}
	return all
}

func TestSame(t *testing.T) {
	batches := later(t, compare.Shard(t))
	compare.Same(t, "arrow18", func(w io.Writer) error { return Write(w, batches, false) })
	compare.Same(t, "arrow18-alike", func(w io.Writer) error { return Write(w, batches, true) })
}

func BenchmarkArrow18(b *testing.B) {
	all := compare.Shard(b)
	batches := later(b, all)
	for name, alike := range map[string]bool{"default": false, "alike": true} {
		b.Run(name, func(b *testing.B) {
			compare.Speed(b, compare.Rows(all), func(w io.Writer) error { return Write(w, batches, alike) })
		})
	}
}
