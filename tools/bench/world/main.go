// Command world compares objectives and kinds of negatives, on rendered scenes and on pictures of
// emoji. With the program capgraph it makes worlds and their texts, trains small models and measures
// them; then it writes tables and plots. It first prints the time that this takes. An interrupted run
// can be continued, and each run gives the same figures.
//
//	go build -o dist/capgraph ./cmd/capgraph
//	go run ./tools/bench/world -capgraph dist/capgraph -dir out/bench-world
//	go run ./tools/bench/world -capgraph dist/capgraph -studies emoji,couples -seeds 3
//	go run ./tools/bench/world -capgraph dist/capgraph -studies free,emoji -seeds 2 -steps 100 -scenes 1000 -tests 50
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// batch is the number of images in a step.
const batch = 64

func main() {
	log.SetFlags(0)
	var g grid
	flag.StringVar(&g.binary, "capgraph", "capgraph", "the program")
	flag.StringVar(&g.recipe, "recipe", "train.yaml", "the recipe of trainings")
	flag.StringVar(&g.pipeline, "pipeline", "pipeline.yaml", "the recipe of texts")
	flag.StringVar(&g.dir, "dir", "out/bench-world", "where worlds and models go")
	flag.IntVar(&g.seeds, "seeds", 5, "seeds, each with a world of its own")
	flag.StringVar(&g.packages, "packages", "out/npm", "the folder of the npm packages with emoji; npm gets those that are not there")
	flag.IntVar(&g.steps, "steps", 0, "steps of 64 images; of fine-tuning half as many; 0: the world's own")
	flag.IntVar(&g.scenes, "scenes", 0, "scenes to train on; 0: the world's own")
	flag.IntVar(&g.tests, "tests", 300, "scenes of each test")
	wanted := flag.String("studies", "free,fixed,negatives,tuned,graphs,ablations", "which tables, separated by commas")
	arms := flag.String("arms", "", "only the arms whose names this regular expression matches")
	docs := flag.String("docs", "", "a Markdown file to write the tables into, that of a study between <!-- tools/bench/world STUDY --> and <!-- /tools/bench/world STUDY -->; plots go to figures/ beside it")
	at := flag.Int("j", 1, "trainings at once, of a core each")
	told := flag.Bool("tables", false, "run nothing: write what is there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	all, err := chooseStudies(*wanted, *arms)
	if err == nil && !*told {
		err = g.runAll(ctx, all, *at)
	}
	if err == nil {
		err = g.writeTables(all, *docs)
	}
	if err != nil {
		log.Fatal("world: ", err)
	}
}

// chooseStudies returns the studies in a list of names, with the arms that a regular expression
// matches.
func chooseStudies(list, arms string) (some []study, err error) {
	all := studies()
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(all, func(s study) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-studies: %q is unknown", name)
		}
		some = append(some, all[i])
	}
	wanted, err := regexp.Compile(arms)
	if err != nil {
		return nil, fmt.Errorf("-arms: %w", err)
	}
	for i, s := range some {
		some[i].arms = slices.DeleteFunc(slices.Clone(s.arms), func(a arm) bool { return !wanted.MatchString(a.name) })
		if len(some[i].arms) == 0 {
			return nil, fmt.Errorf("-arms: study %s has no such arm", s.name)
		}
	}
	return some, nil
}

// runAll runs the jobs without a result: those of all studies for a seed, before the next seed.
func (g *grid) runAll(ctx context.Context, all []study, at int) error {
	jobs := g.jobs(all)
	todo, seconds := 0, 0.0
	for _, j := range jobs {
		r, err := g.readResult(j)
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
			if r, err := g.readResult(j); j.seed != seed+1 || r != nil || err != nil {
				continue
			}
			if err := g.prepare(ctx, j); err != nil {
				return err
			}
		}
		for _, tuned := range []bool{false, true} { // jobs whose weights others begin with come first
			group, ctx := errgroup.WithContext(ctx)
			group.SetLimit(at)
			for _, j := range jobs {
				if j.seed == seed+1 && (j.from != "") == tuned {
					group.Go(func() error { return g.runAndReport(ctx, j) })
				}
			}
			if err := group.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

// runAndReport runs a job and prints its figures.
func (g *grid) runAndReport(ctx context.Context, j job) error {
	if r, err := g.readResult(j); r != nil || err != nil {
		return err
	}
	r, err := g.runJob(ctx, j)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %s, %s:", j.seed, j.study.name, j.arm.name)
	one := percentFigures([]*result{r}, func(r *result) map[string]float64 { return r.After })
	for _, p := range worldOf(j.world).panels {
		for _, c := range p.columns {
			if s := c.meanSample(one); len(s) > 0 {
				fmt.Printf(" %s %.1f", strings.TrimLeft(p.name+" "+c.title, "- "), s.mean())
			}
		}
	}
	fmt.Println()
	return nil
}

// jobs returns the jobs of studies and the jobs whose weights they begin with, each once.
func (g *grid) jobs(all []study) (jobs []job) {
	seen := map[string]bool{}
	add := func(j job) {
		if out := g.outputFolder(j); !seen[out] {
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

// parent returns the job whose weights another job begins with.
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
