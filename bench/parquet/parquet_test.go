package parquet

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"

	arrow18 "github.com/apache/arrow-go/v18/arrow"
	ipc18 "github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"capgraph/bench/parquet/witharrow17"
	"capgraph/bench/parquet/witharrow18"
	"capgraph/bench/parquet/withparquetgo"
	"capgraph/schemas"
)

var shard = flag.String("shard", "", "a shard of texts/ or graphs/")

// writers are what is compared, for the rows of the shard.
func writers(tb testing.TB) (rows int64, all map[string]func(io.Writer) error) {
	tb.Helper()
	if *shard == "" {
		tb.Skip("-shard names no shard")
	}
	batches, rows := read(tb, *shard)
	later := again(tb, batches)
	return rows, map[string]func(io.Writer) error{
		"parquet-go":    func(w io.Writer) error { return withparquetgo.Write(w, batches) },
		"arrow17":       func(w io.Writer) error { return witharrow17.Write(w, batches, false) },
		"arrow17-alike": func(w io.Writer) error { return witharrow17.Write(w, batches, true) },
		"arrow18":       func(w io.Writer) error { return witharrow18.Write(w, later, false) },
		"arrow18-alike": func(w io.Writer) error { return witharrow18.Write(w, later, true) },
	}
}

func read(tb testing.TB, name string) (batches []arrow.Record, rows int64) {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := schemas.NewParquetReader(bytes.NewReader(data), int64(len(data)), schemas.ReaderOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return batches, rows
		}
		if err != nil {
			tb.Fatal(err)
		}
		batches, rows = append(batches, rec), rows+rec.NumRows()
	}
}

// again are the batches as those of the later module, by way of a stream.
func again(tb testing.TB, batches []arrow.Record) (all []arrow18.RecordBatch) {
	tb.Helper()
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(batches[0].Schema()))
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	r, err := ipc18.NewReader(&stream)
	if err != nil {
		tb.Fatal(err)
	}
	for r.Next() {
		r.RecordBatch().Retain()
		all = append(all, r.RecordBatch())
	}
	return all
}

// TestWhatIsWritten has every writer write the same rows ten times, and reads them
// again: it logs the size and the hash, which another process can be compared with.
func TestWhatIsWritten(t *testing.T) {
	rows, all := writers(t)
	for name, write := range all {
		t.Run(name, func(t *testing.T) {
			hashes := map[string]bool{}
			var file bytes.Buffer
			for range 10 {
				file.Reset()
				if err := write(&file); err != nil {
					t.Fatal(err)
				}
				hashes[fmt.Sprintf("%x", sha256.Sum256(file.Bytes()))[:16]] = true
			}
			r, err := schemas.NewParquetReader(bytes.NewReader(file.Bytes()), int64(file.Len()), schemas.ReaderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if r.NumRows() != rows {
				t.Errorf("%d rows, not %d", r.NumRows(), rows)
			}
			t.Logf("%s: %d rows, %.1f bytes a row; of ten times, %d different: %v", name, rows, float64(file.Len())/float64(rows), len(hashes), hashes)
		})
	}
}

// BenchmarkWrite writes the rows of the shard.
func BenchmarkWrite(b *testing.B) {
	rows, all := writers(b)
	for _, name := range []string{"parquet-go", "arrow17", "arrow17-alike", "arrow18", "arrow18-alike"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := all[name](io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
