package main

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	benchRows    = flag.String("rows", "20000,200000", "captions of each run of BenchmarkRows")
	benchWorkers = flag.Int("workers", 2, "workers of BenchmarkRows")
	benchProgram = flag.String("capgraph", "", "the program that BenchmarkRows measures; empty to build it")
)

// BenchmarkRows runs all passes of the program over generated captions: the time and the
// processor time of a caption, and the largest resident memory. The two should fall, or stay, as
// captions become more, since the pass balance costs the same for any corpus. Two million
// captions take some ten minutes of processor time and are measured when asked for:
//
//	go test ./tools/bench/scale -run - -bench Rows -benchtime 1x -timeout 2h -rows 20000,200000,2000000
func BenchmarkRows(b *testing.B) {
	path := *benchProgram
	if path == "" {
		path = filepath.Join(b.TempDir(), "capgraph")
		if out, err := exec.Command("go", "build", "-o", path, "../../../cmd/capgraph").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	for _, n := range parseNumbers(*benchRows) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := program{path: path, recipe: "../../../pipeline.yaml", dir: b.TempDir()}
			source := filepath.Join(p.dir, "captions.tsv")
			if err := writeCaptions(source, n); err != nil {
				b.Fatal(err)
			}
			var all usage
			runs := 0
			for b.Loop() {
				var said bytes.Buffer
				u, err := p.run(&said, source, filepath.Join(p.dir, fmt.Sprint(runs)), *benchWorkers, "--progress", "none")
				if err != nil {
					b.Fatalf("%v\n%s", err, &said)
				}
				all.elapsed += u.elapsed
				all.processor += u.processor
				all.megabytes = max(all.megabytes, u.megabytes)
				runs++
			}
			rows := float64(runs) * float64(n)
			b.ReportMetric(all.elapsed/rows*1e9, "ns/row")
			b.ReportMetric(all.processor/rows*1e9, "cpu-ns/row")
			b.ReportMetric(float64(all.megabytes), "peak-MB")
		})
	}
}
