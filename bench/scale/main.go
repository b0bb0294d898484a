// Command scale runs capgraph over generated captions with several numbers of
// rows and of workers, and prints what each run took: rows a second and the
// largest resident memory of the process. Captions are of a long-tailed
// vocabulary that grows with the corpus, as that of the web does.
//
//	go build -o capgraph ./cmd/capgraph
//	go run ./bench/scale -capgraph ./capgraph -rows 300000,1000000 -workers 1,2
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	binary := flag.String("capgraph", "capgraph", "the program")
	rows := flag.String("rows", "300000,1000000", "rows of the corpus, one run each")
	workers := flag.String("workers", "1,2", "workers, one run each")
	dir := flag.String("dir", os.TempDir(), "where the corpus and the output go")
	recipe := flag.String("recipe", "pipeline.yaml", "the recipe")
	flag.Parse()
	if err := measure(*binary, *recipe, *dir, numbers(*rows), numbers(*workers), flag.Args()); err != nil {
		log.Fatal("scale: ", err)
	}
}

func numbers(list string) []int {
	var all []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n <= 0 {
			log.Fatalf("scale: %q is no number of rows or workers", s)
		}
		all = append(all, n)
	}
	return all
}

// measure runs all combinations; more are arguments of 'capgraph run'.
func measure(binary, recipe, dir string, rows, workers []int, more []string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, "capgraph-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	fmt.Println("     rows  workers   seconds   rows/s  × first  peak MB")
	for _, n := range rows {
		source := filepath.Join(work, fmt.Sprint(n, ".tsv"))
		if err := generate(source, n); err != nil {
			return err
		}
		base := 0.0
		for _, w := range workers {
			out := filepath.Join(work, "out")
			args := append([]string{"run", recipe, "--log", "none", "--workers", fmt.Sprint(w),
				"--set", "source.paths=" + source, "--set", "output.dir=" + out}, more...)
			cmd := exec.Command(binary, args...)
			cmd.Stderr = os.Stderr
			began := time.Now()
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%v: %w", cmd.Args, err)
			}
			seconds := time.Since(began).Seconds()
			rate := float64(n) / seconds
			if base == 0 {
				base = rate
			}
			usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			fmt.Printf("%9d %8d %9.1f %8.0f %8.2f %8d\n", n, w, seconds, rate, rate/base, usage.Maxrss>>10)
			if err := os.RemoveAll(out); err != nil {
				return err
			}
		}
		if err := os.Remove(source); err != nil {
			return err
		}
	}
	return nil
}

var (
	nouns      = strings.Fields("man woman dog cat bus street table horse child bike train sign tree boat car bench beach ball plate shirt")
	adjectives = strings.Fields("red blue small large old young wooden green white black tall brown")
	verbs      = strings.Fields("holding riding watching pulling painting carrying")
	places     = []string{"on", "next to", "in front of", "under", "behind"}
)

// generate writes n captions in CC12M's form; the same n gives the same bytes.
func generate(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	state := uint64(1)
	next := func(of int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % uint64(of))
	}
	// A noun is common, or one of a tail that is as long as the corpus.
	noun := func() string {
		if next(8) > 0 {
			return nouns[next(len(nouns))]
		}
		rare := next(n)/(1+next(1000)) + 1
		return "gadget" + strconv.FormatInt(int64(rare), 26)
	}
	for i := range n {
		fmt.Fprintf(w, "https://example.org/%d.jpg\ta %s %s %s a %s %s %s the %s %s\n", i,
			adjectives[next(len(adjectives))], noun(), verbs[next(len(verbs))], adjectives[next(len(adjectives))], noun(),
			places[next(len(places))], adjectives[next(len(adjectives))], noun())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
