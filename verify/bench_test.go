package verify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/verify"
)

// BenchmarkVerify is verify of a folder of 24,200 captions in shards of 5,000, with one worker and
// with two, beside reading all columns of its graphs and texts.
func BenchmarkVerify(b *testing.B) {
	const copies = 100
	sample, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		b.Fatal(err)
	}
	var corpus bytes.Buffer
	for i := range copies {
		for line := range bytes.Lines(sample) {
			fmt.Fprintf(&corpus, "%d.%s", i, line)
		}
	}
	source := filepath.Join(b.TempDir(), "corpus.tsv")
	if err := os.WriteFile(source, corpus.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	of := folder.Folder{Store: store.Local{}, Dir: good(b, "source.paths="+source, "output.shard_rows=5000")}
	rate := func(b *testing.B) {
		b.ReportMetric(float64(b.N*copies*bytes.Count(sample, []byte("\n")))/b.Elapsed().Seconds(), "rows/s")
	}
	b.Run("reading", func(b *testing.B) {
		for b.Loop() {
			readAll(b, of)
		}
		rate(b)
	})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				result, err := verify.Run(context.Background(), of, verify.Options{Workers: workers}, func(p verify.Problem) { b.Error(p) })
				if err != nil || result.Texts == 0 {
					b.Fatal(result, err)
				}
			}
			rate(b)
		})
	}
}

// readAll reads graphs/ and texts/ of a folder.
func readAll(b *testing.B, f folder.Folder) {
	state, err := f.Read()
	if err != nil {
		b.Fatal(err)
	}
	for _, pass := range folder.RowPasses() {
		for _, s := range state.Finished(pass) {
			rows, err := f.ReadShard(memory.NewGoAllocator(), pass, s.Name, nil)
			if err != nil {
				b.Fatal(err)
			}
			for {
				rec, _, err := rows.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				rec.Release()
			}
			rows.Close()
		}
	}
}
