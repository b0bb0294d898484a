package sources

import (
	"os"
	"path/filepath"
	"testing"

	"capgraph/testing/bombs"
)

// maxSeed keeps large files from the fuzzer, which is slow on them, in bytes.
const maxSeed = 4096

// fuzzFormat reads whatever the fuzzer makes of the good and the broken files
// of a format.
func fuzzFormat(f *testing.F, format string) {
	var like goodFile
	for _, g := range goodFiles(f) {
		if g.format == format {
			like = g
			if len(g.data) <= maxSeed {
				f.Add(g.data)
			}
		}
	}
	if format == "parquet" {
		file, err := bombs.Parquet(200, bombs.Column{Name: Caption, Size: 900_000})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	for _, b := range brokenFiles(f) {
		if b.format == format && len(b.data) <= maxSeed {
			f.Add(b.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "in"+like.ext)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		survives(t, path, like)
	})
}

func FuzzCC12M(f *testing.F)        { fuzzFormat(f, "cc12m") }
func FuzzCC3M(f *testing.F)         { fuzzFormat(f, "cc3m") }
func FuzzCOCO(f *testing.F)         { fuzzFormat(f, "coco") }
func FuzzKarpathy(f *testing.F)     { fuzzFormat(f, "karpathy") }
func FuzzImg2dataset(f *testing.F)  { fuzzFormat(f, "img2dataset") }
func FuzzParquet(f *testing.F)      { fuzzFormat(f, "parquet") }
func FuzzCSV(f *testing.F)          { fuzzFormat(f, "csv") }
func FuzzTSV(f *testing.F)          { fuzzFormat(f, "tsv") }
func FuzzJSON(f *testing.F)         { fuzzFormat(f, "json") }
func FuzzJSONL(f *testing.F)        { fuzzFormat(f, "jsonl") }
func FuzzWebDataset(f *testing.F)   { fuzzFormat(f, "webdataset") }
func FuzzVisualGenome(f *testing.F) { fuzzFormat(f, "visualgenome") }
func FuzzGQA(f *testing.F)          { fuzzFormat(f, "gqa") }
func FuzzGBC(f *testing.F)          { fuzzFormat(f, "gbc") }
func FuzzLAIONSG(f *testing.F)      { fuzzFormat(f, "laion-sg") }
func FuzzUnits(f *testing.F)        { fuzzFormat(f, "csclip") }
func FuzzTriplets(f *testing.F)     { fuzzFormat(f, "triplets") }
func FuzzGraphs(f *testing.F)       { fuzzFormat(f, "graphs") }
