// Command world asks of rendered scenes what objectives, negatives and parts of
// them bring: it renders worlds, makes their texts, trains small models and
// measures them, all with the program capgraph, and writes tables and plots. It
// prints first what that costs, goes on where it was stopped, and gives the same
// figures each time.
//
//	go build -o dist/capgraph ./cmd/capgraph
//	go run ./tools/bench/world -capgraph dist/capgraph -dir out/bench-world -docs docs/measurements/world.md
//	go run ./tools/bench/world -capgraph dist/capgraph -dir out/bench-world -seeds 2 -steps 100 -scenes 1000 -tests 50
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// What all trainings have in common.
const (
	batch      = 64
	fixedPairs = "0.6" // the share of the pairs of shapes that the fixed world trains on
)

func main() {
	log.SetFlags(0)
	var g grid
	flag.StringVar(&g.binary, "capgraph", "capgraph", "the program")
	flag.StringVar(&g.recipe, "recipe", "train.yaml", "the recipe of trainings")
	flag.StringVar(&g.pipeline, "pipeline", "pipeline.yaml", "the recipe of texts")
	flag.StringVar(&g.dir, "dir", "out/bench-world", "where worlds and models go")
	flag.IntVar(&g.seeds, "seeds", 5, "seeds, each with a world of its own")
	flag.IntVar(&g.steps, "steps", 600, "steps of 64 images; of fine-tuning half as many")
	flag.IntVar(&g.scenes, "scenes", 4000, "scenes to train on")
	flag.IntVar(&g.tests, "tests", 300, "scenes of each test")
	wanted := flag.String("studies", "", "which tables; all where none is named")
	docs := flag.String("docs", "", "a Markdown file to write the tables into, between <!-- tools/bench/world --> and <!-- /tools/bench/world -->; plots go to figures/ beside it")
	at := flag.Int("j", 1, "trainings at once, of a core each")
	told := flag.Bool("tables", false, "run nothing: write what is there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	all, err := chosen(*wanted)
	if err == nil && !*told {
		err = g.run(ctx, all, *at)
	}
	if err == nil {
		err = g.tell(all, *docs)
	}
	if err != nil {
		log.Fatal("world: ", err)
	}
}

// chosen are the studies of a list of names.
func chosen(list string) ([]study, error) {
	all := studies()
	if list == "" {
		return all, nil
	}
	var some []study
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(all, func(s study) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-studies: %q is unknown", name)
		}
		some = append(some, all[i])
	}
	return some, nil
}

// run does what is not done, all studies of a seed before the next seed.
func (g *grid) run(ctx context.Context, all []study, at int) error {
	jobs := g.jobs(all)
	todo, seconds := 0, 0.0
	for _, j := range jobs {
		r, err := g.done(j)
		if err != nil {
			return err
		}
		if r == nil {
			todo++
			seconds += j.estimate(g)
		}
	}
	fmt.Printf("%d of %d trainings are to be run: about %.0f minutes of one core\n", todo, len(jobs), seconds/60)
	for seed := range g.seeds {
		for _, j := range jobs {
			if r, err := g.done(j); j.seed != seed+1 || r != nil || err != nil {
				continue
			}
			if err := g.prepare(ctx, j); err != nil {
				return err
			}
		}
		for _, tuned := range []bool{false, true} { // what others begin with comes first
			group, ctx := errgroup.WithContext(ctx)
			group.SetLimit(at)
			for _, j := range jobs {
				if j.seed == seed+1 && (j.from != "") == tuned {
					group.Go(func() error { return g.one(ctx, j) })
				}
			}
			if err := group.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

// one does a job and says so.
func (g *grid) one(ctx context.Context, j job) error {
	if r, err := g.done(j); r != nil || err != nil {
		return err
	}
	r, err := g.do(ctx, j)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %s, %s:", j.seed, j.study.name, j.arm.name)
	for _, c := range columns {
		if v, ok := r.After[c.name]; ok {
			fmt.Printf(" %s %.1f", c.title, 100*v)
		}
	}
	fmt.Println()
	return nil
}

// jobs are those of studies, and of what they begin with, each once.
func (g *grid) jobs(all []study) (jobs []job) {
	seen := map[string]bool{}
	add := func(j job) {
		if out := g.out(j); !seen[out] {
			seen[out] = true
			jobs = append(jobs, j)
		}
	}
	for seed := 1; seed <= g.seeds; seed++ {
		for _, s := range all {
			for _, a := range s.arms {
				if seed > s.seeds {
					continue
				}
				j := job{s, a, seed}
				if j.from != "" {
					add(g.parent(j))
				}
				add(j)
			}
		}
	}
	return jobs
}

// parent is the job whose weights another begins with.
func (g *grid) parent(j job) job {
	name, from, _ := strings.Cut(j.from, "/")
	for _, s := range studies() {
		for _, a := range s.arms {
			if s.name == name && a.name == from {
				return job{s, a, j.seed}
			}
		}
	}
	return job{}
}
