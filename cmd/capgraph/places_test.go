package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"capgraph/store"
	"capgraph/testing/storetest"
)

// place is a workplace, and where runs in it write to: below it, or to a bucket, of
// which kept is the folder of the server.
type place struct{ dir, root, kept string }

// out is the output.dir of a name.
func (p place) out(name string) string { return store.Join(p.root, name) }

// folder is the local folder in which its files are.
func (p place) folder(name string) string { return filepath.Join(p.kept, name) }

// inPlaces runs a test in a folder and in a bucket.
func inPlaces(t *testing.T, test func(t *testing.T, at place)) {
	t.Run("folder", func(t *testing.T) {
		dir := workplace(t)
		test(t, place{dir, "", dir})
	})
	t.Run("s3", func(t *testing.T) {
		url, kept := storetest.S3Folder(t)
		test(t, place{workplace(t), url, kept})
	})
}

// sampleCopies is the sample corpus as often as from first to before last, each time of
// other images.
func sampleCopies(t testing.TB, first, last int) []byte {
	t.Helper()
	sample := read(t, "../../testdata/cc12m.tsv")
	var corpus bytes.Buffer
	for i := first; i < last; i++ {
		for line := range bytes.Lines(sample) {
			fmt.Fprintf(&corpus, "%d.%s", i, line)
		}
	}
	return corpus.Bytes()
}

// BenchmarkRun is a whole run with two workers over 24,200 captions in shards of 5,000,
// from and to a folder, and from and to a bucket of a server on this machine, which
// takes its share of the same processors.
func BenchmarkRun(b *testing.B) {
	const copies = 100
	corpus := sampleCopies(b, 0, copies)
	run := func(b *testing.B, root, kept string) {
		dir := workplace(b)
		if err := os.WriteFile(filepath.Join(kept, "corpus.tsv"), corpus, 0o666); err != nil {
			b.Fatal(err)
		}
		for n := 0; b.Loop(); n++ {
			must(b, program(dir, store.Join(root, fmt.Sprint(n)), "--workers", "2", "--set", "output.shard_rows=5000",
				"--set", "source.paths="+store.Join(root, "corpus.tsv")))
		}
		b.ReportMetric(float64(b.N*copies*sampleRows)/b.Elapsed().Seconds(), "rows/s")
	}
	b.Run("folder", func(b *testing.B) {
		dir := b.TempDir()
		run(b, dir, dir)
	})
	b.Run("s3", func(b *testing.B) {
		url, kept := storetest.S3Folder(b)
		run(b, url, kept)
	})
}
