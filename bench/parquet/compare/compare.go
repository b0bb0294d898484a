// Package compare measures what decision 2 rests on: a shard of texts written by
// capgraph's bridge to parquet-go, and by Arrow's own Parquet writers of
// apache/arrow/go v17 and apache/arrow-go v18, each as it comes and with settings
// like capgraph's. The folder is a module of its own, so that capgraph does not
// depend on what it is compared with. From there, with any shard:
//
//	./measure ../../out/sample/texts/train-00000-of-00001.parquet
//
// prints rows a second of a processor, bytes allocated and bytes of the file, whether the same rows
// gave the same bytes, and the size of a program that only writes Parquet. The two
// modules of Arrow have assembly of the same names and cannot be linked into one
// program: each writer has tests of its own.
package compare

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/internal/parquetio"
)

var shard = flag.String("shard", "", "a shard of texts/ or graphs/")

// Writer writes all rows of the shard as one Parquet file.
type Writer func(io.Writer) error

// Shard reads the shard that -shard names. Without one, the test is skipped.
func Shard(tb testing.TB) (batches []arrow.Record) {
	tb.Helper()
	if *shard == "" {
		tb.Skip("-shard names no shard")
	}
	data, err := os.ReadFile(*shard)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := parquetio.NewReader(bytes.NewReader(data), int64(len(data)), parquetio.ReaderOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return batches
		}
		if err != nil {
			tb.Fatal(err)
		}
		batches = append(batches, rec)
	}
}

// Same has the rows written ten times and logs how many different files that gave,
// with a hash for comparing with another process. Rows that are read again in
// another form fail.
func Same(t *testing.T, name string, write Writer) {
	t.Helper()
	hashes := map[string]bool{}
	var file bytes.Buffer
	for range 10 {
		file.Reset()
		if err := write(&file); err != nil {
			t.Fatal(err)
		}
		hashes[fmt.Sprintf("%x", sha256.Sum256(file.Bytes()))[:12]] = true
	}
	r, err := parquetio.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()), parquetio.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, want := range Shard(t) {
		got, err := r.Next()
		if err != nil {
			t.Fatalf("batch %d: %v", i, err)
		}
		for row := range int(min(want.NumRows(), got.NumRows())) {
			if a, b := parquetio.AppendRowJSON(nil, want, row), parquetio.AppendRowJSON(nil, got, row); !bytes.Equal(a, b) {
				t.Fatalf("batch %d, row %d: %s, not %s", i, row, b, a)
			}
		}
	}
	t.Logf("%s: %d rows, %d bytes, of ten files %d differ: %v", name, r.NumRows(), file.Len(), len(hashes), hashes)
}

// Speed measures rows for each second of a processor, which holds on a busy machine
// too, and what is allocated for one file.
func Speed(b *testing.B, rows int64, write Writer) {
	b.ReportAllocs()
	before := processor()
	for b.Loop() {
		if err := write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/(processor()-before).Seconds(), "rows/cpu-s")
}

// processor is the time that the processors have spent on this process.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Rows are those of all batches.
func Rows(batches []arrow.Record) (n int64) {
	for _, b := range batches {
		n += b.NumRows()
	}
	return n
}
