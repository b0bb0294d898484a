package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkAppend measures what it takes until 2,420 captions are in texts/ beside 24,200: to
// make all anew, to let them join, and to make all texts anew then.
func BenchmarkAppend(b *testing.B) {
	dir := workplace(b)
	put := func(name string, first, last int) {
		if err := os.WriteFile(filepath.Join(dir, name), sampleCopies(b, first, last), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	capgraph := func(b *testing.B, out string, args ...string) {
		b.Helper()
		must(b, program(dir, out, append([]string{"--workers", "2", "--set", "output.shard_rows=5000", "--set", "source.paths=*.tsv",
			"--set", "negatives.balance.sample=2000"}, args...)...))
	}
	put("a.tsv", 0, 100)
	capgraph(b, "before")
	put("b.tsv", 100, 110)
	each := func(name string, more ...string) {
		b.Run(name, func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				out := fmt.Sprint(name, n)
				if name != "anew" {
					if err := os.CopyFS(filepath.Join(dir, out), os.DirFS(filepath.Join(dir, "before"))); err != nil {
						b.Fatal(err)
					}
				}
				if name == "texts" {
					capgraph(b, out, "--append")
				}
				b.StartTimer()
				capgraph(b, out, more...)
			}
		})
	}
	each("anew")
	each("append", "--append")
	each("texts", "--redo", "texts")
}
