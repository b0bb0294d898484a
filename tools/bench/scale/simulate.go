package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
)

// shardRows is the number of rows of a shard by default.
var shardRows = float64(config.Defaults().Output.ShardRows)

// sampledRows is the largest number of rows that the pass tally samples for the pass balance in a
// large corpus (docs/negatives.md).
const sampledRows = 262_144

// The price in dollars of a thousand requests to S3: to put or list, and to read
// (aws.amazon.com/s3/pricing, S3 Standard in us-east-1, November 2026).
const (
	dollarsPut = 0.005
	dollarsGet = 0.0004
)

// namesListed is the number of names that one listing request returns.
const namesListed = 1000

// cluster has the number of processors of a machine and in all, and the number of tasks of each
// pass. One machine makes the index, with one file per processor at a time.
type cluster struct{ machine, cores, parts int }

// taken is what a step takes on a cluster.
type taken struct {
	step
	tasks    int     // that can run at the same time
	work     float64 // processor seconds
	elapsed  float64 // seconds
	requests asked
}

func (t *taken) dollars() float64 {
	return ((t.requests.puts+t.requests.lists)*dollarsPut + t.requests.gets*dollarsGet) / 1000
}

// countShards returns the number of shards of a corpus with so many rows.
func countShards(rows float64) int { return int(math.Ceil(rows / shardRows)) }

// simulateSteps returns what each step takes for a corpus of so many rows. levels are the steps of
// the pass count, with their tasks.
func (c cluster) simulateSteps(rows float64, costs []cost, asked map[folder.Pass]requests, levels []level) []taken {
	n := countShards(rows)
	var all []taken
	add := func(k cost, tasks int) {
		t := taken{step: k.step, tasks: tasks, work: k.seconds(rows)}
		at := min(tasks, c.cores)
		if k.pass.IsByShard() {
			t.work = k.row*rows + k.fixed*float64(min(c.parts, n))
			t.elapsed = math.Ceil(float64(n)/float64(at))*k.row*shardRows + k.fixed*math.Ceil(float64(min(c.parts, n))/float64(at))
		} else {
			t.elapsed = k.fixed + k.row*rows*math.Ceil(float64(tasks)/float64(at))/float64(tasks)
		}
		all = append(all, t)
	}
	for _, k := range costs {
		switch {
		case k.pass.IsByShard():
			add(k, n)
		case k.pass == folder.PassBalance:
			k.fixed, k.row = k.seconds(min(rows, sampledRows)), 0
			add(k, 1)
		case k.pass == folder.PassIndex:
			add(k, c.machine)
		default:
			for _, l := range levels {
				if l.as == k.name {
					add(cost{step{k.pass, l.name}, k.fixed, k.row}, l.tasks)
				}
			}
		}
	}
	for i := range all {
		if pass := all[i].pass; i == 0 || all[i-1].pass != pass {
			all[i].requests = c.requests(asked[pass], pass, n)
		}
	}
	return all
}

// requests returns the requests of a pass: of its shards and of its processes. A process lists as
// many names as there are shards.
func (c cluster) requests(r requests, pass folder.Pass, shards int) asked {
	processes := 1
	if pass.IsByShard() || pass == folder.PassCount {
		processes = min(c.parts, shards)
	}
	process := r.process
	process.lists *= math.Ceil(float64(shards) / namesListed)
	return r.shard.times(float64(shards)).plus(process.times(float64(processes)))
}

// level is a step of the pass count in a large corpus, with the step of the measured corpus that
// did the same.
type level struct {
	name, as string
	tasks    int
}

// levelsOf returns the steps of the pass count for a corpus of so many shards, in which the
// captions of an image are adjacent.
func levelsOf(all []pipeline.Level, shards int, measured []cost) ([]level, error) {
	left := map[string]bool{}
	for _, k := range measured {
		if k.pass == folder.PassCount {
			left[k.name] = true
		}
	}
	r := &pipeline.Reducer{Index: &folder.Index{Shards: make([]folder.Shard, shards)}}
	var levels []level
	as := ""
	for _, l := range all {
		if len(left) == 0 {
			break
		}
		if left[l.Name] {
			as = l.Name // otherwise it is a further round of the merge tree
		}
		delete(left, l.Name)
		n, err := l.Tasks(r)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			levels = append(levels, level{l.Name, as, n})
		}
	}
	return levels, nil
}

// simulate measures small corpora, and prints what each of corpora would take.
func (p *program) simulate(rows, corpora []int, c cluster) error {
	if len(rows) < 2 {
		return errors.New("-rows: two numbers are needed to simulate")
	}
	asked, err := countRequests(p.recipe, p.dir)
	if err != nil {
		return err
	}
	costs, most, err := p.measureCosts(rows[0], rows[len(rows)-1])
	if err != nil {
		return err
	}
	all, err := countLevels(p.recipe)
	if err != nil {
		return err
	}
	fmt.Printf("measured: %d captions and %d, one worker, %.0f captions/s, %d MB at most\n", rows[0], rows[len(rows)-1], float64(rows[len(rows)-1])/most.processor, most.megabytes)
	for _, n := range corpora {
		levels, err := levelsOf(all, countShards(float64(n)), costs)
		if err != nil {
			return err
		}
		c.print(os.Stdout, n, c.simulateSteps(float64(n), costs, asked, levels))
	}
	return nil
}

// print prints what a corpus takes, by step and in total.
func (c cluster) print(w io.Writer, captions int, steps []taken) {
	fmt.Fprintf(w, "\n%d captions in %d shards, %d processors, %d parts\n", captions, countShards(float64(captions)), c.cores, c.parts)
	fmt.Fprintln(w, "step               tasks  processor h     hours  1000 puts     lists      gets   dollars")
	var sum taken
	var whole float64
	row := func(name string, tasks string, t taken) {
		fmt.Fprintf(w, "%-16s %7s %12.2f %9.3f %10.1f %9.1f %9.1f %9.2f\n", name, tasks, t.work/3600, t.elapsed/3600,
			t.requests.puts/1000, t.requests.lists/1000, t.requests.gets/1000, t.dollars())
	}
	for _, t := range steps {
		row(t.String(), fmt.Sprint(t.tasks), t)
		sum.work += t.work
		sum.elapsed += t.elapsed
		sum.requests = sum.requests.plus(t.requests)
		if !t.pass.IsByShard() {
			whole += t.elapsed
		}
	}
	row("in all", "", sum)
	fmt.Fprintf(w, "index, count and balance take %.1f %% of the hours of the passes over shards\n", 100*whole/(sum.elapsed-whole))
}
