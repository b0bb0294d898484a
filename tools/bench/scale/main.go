// Command scale runs capgraph over generated captions with several numbers of
// rows and of workers, and prints for each run the rows per second and the
// largest resident memory of the process. Captions have a long-tailed
// vocabulary that grows with the corpus, as on the web.
//
//	go build -o capgraph ./cmd/capgraph
//	go run ./tools/bench/scale -capgraph ./capgraph -rows 300000,1000000 -workers 1,2
//
// With -simulate it runs pass by pass on the first and the last of the numbers of
// rows with one worker, counts the requests of small runs, and prints what corpora
// of those numbers of captions would take on a cluster:
//
//	go run ./tools/bench/scale -capgraph ./capgraph -rows 60000,160000 -simulate 400000000,2000000000 -cores 64 -- --set output.shard_rows=10000
//
// Both numbers of rows must make several shards, since otherwise no merging is measured.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("scale: ")
	binary := flag.String("capgraph", "capgraph", "the program")
	rows := flag.String("rows", "300000,1000000", "rows of the corpus, one run each")
	workers := flag.String("workers", "1,2", "workers, one run each")
	captions := flag.String("simulate", "", "captions of the corpora to simulate")
	cores := flag.Int("cores", 64, "processors of the simulated cluster")
	machine := flag.Int("machine", 16, "processors of one of its machines")
	parts := flag.Int("parts", 1000, "tasks that each of its passes is cut into")
	dir := flag.String("dir", os.TempDir(), "where the corpus and the output go")
	recipe := flag.String("recipe", "pipeline.yaml", "the recipe")
	flag.Parse()
	path, err := filepath.Abs(*binary)
	if err != nil {
		log.Fatal(err)
	}
	work, err := os.MkdirTemp(*dir, "capgraph-scale-")
	if err != nil {
		log.Fatal(err)
	}
	p := program{path: path, recipe: *recipe, dir: work, more: flag.Args()}
	if *captions == "" {
		err = p.measure(parseNumbers(*rows), parseNumbers(*workers))
	} else {
		err = p.simulate(parseNumbers(*rows), parseNumbers(*captions), cluster{machine: *machine, cores: *cores, parts: *parts})
	}
	_ = os.RemoveAll(work)
	if err != nil {
		log.Fatal(err)
	}
}

func parseNumbers(list string) []int {
	var all []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n <= 0 {
			log.Fatalf("%q is no number of rows or workers", s)
		}
		all = append(all, n)
	}
	return all
}
