// Command makevocabulary writes the counts of public captions that the program embeds, from the output
// folder of a run over the graphs of all these captions:
//
//	capgraph run --set source.format=coco --set source.paths=DATA/coco/captions_val2017.json --set output.dir=coco
//	capgraph run --set source.format=karpathy --set source.paths=DATA/coco/karpathy_val_minus_val2017.json --set output.dir=karpathy
//	capgraph run --set source.format=cc3m --set source.paths=DATA/cc3m/cc3m_val_first8000.tsv --set output.dir=cc3m
//	capgraph run --set source.format=parquet --set 'source.paths=[DATA/webalt/train_5000.parquet, DATA/webalt/train_more.parquet]' \
//	  --set 'source.columns={caption: TEXT, image: URL}' --set output.dir=web
//	capgraph run --set source.format=graphs --set 'source.paths=[coco/graphs/*.parquet, karpathy/graphs/*.parquet, cc3m/graphs/*.parquet, web/graphs/*.parquet]' --set output.dir=all
//	go run ./tools/makevocabulary -out negatives/publiccounts/counts.tsv.gz all
//
// Counts of 1 are left out: many are of names and mistakes of parsing. Weights are rounded to a
// hundredth.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"iter"
	"log"
	"math"
	"os"

	"capgraph/folder"
	"capgraph/negatives/publiccounts"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
	"capgraph/store"
)

// minCount is the smallest count that is kept, and minContext the smallest count of a word between two
// others.
const minCount, minContext = 2, 4

// weightStep is the step to which weights are rounded, in millionths.
const weightStep = 10_000

func main() {
	log.SetFlags(0)
	out := flag.String("out", "counts.tsv.gz", "file to write")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("makevocabulary: name the output folder of one run")
	}
	if err := writeCounts(*out, flag.Arg(0)); err != nil {
		log.Fatal("makevocabulary: ", err)
	}
}

func writeCounts(out, dir string) error {
	f := folder.Folder{Store: store.Local{}, Dir: dir}
	words, err := f.ReadCounts(folder.Vocabulary)
	if err != nil {
		return err
	}
	weights, err := f.ReadCounts(folder.Balance)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := publiccounts.Write(&file, filterCounts(words, keepFrequent), filterCounts(weights, roundWeight)); err != nil {
		return err
	}
	fmt.Printf("%d bytes\n", file.Len())
	return os.WriteFile(out, file.Bytes(), 0o644)
}

func keepFrequent(c schemas.Count) (int64, bool) {
	if c.Kind == vocabulary.Context {
		return c.N, c.N >= minContext
	}
	return c.N, c.N >= minCount
}

func roundWeight(c schemas.Count) (int64, bool) {
	n := int64(math.Round(float64(c.N)/weightStep)) * weightStep
	return n, n != 0
}

// filterCounts yields the counts for which change returns keep, with the number n that it returns.
func filterCounts(rows iter.Seq2[schemas.Count, error], change func(schemas.Count) (n int64, keep bool)) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		for row, err := range rows {
			n, keep := change(row)
			if err == nil && !keep {
				continue
			}
			row.N = n
			if !yield(row, err) {
				return
			}
		}
	}
}
