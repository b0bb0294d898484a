package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"capgraph/folder"
)

var (
	measured = []cost{
		{step{folder.PassIndex, ""}, 0, 1e-6},
		{step{folder.PassParse, ""}, 1, 1e-4},
		{step{folder.PassCount, "merge1"}, 0, 1e-6},
		{step{folder.PassCount, "sums"}, 0, 1e-6},
		{step{folder.PassCount, "lists"}, 0, 0},
		{step{folder.PassBalance, "candidates"}, 10, 1e-5},
	}
	perShard = map[folder.Pass]requests{folder.PassParse: {asked{3, 0, 7}, asked{1, 12, 5}}}
)

func levels(t *testing.T, shards int) []level {
	t.Helper()
	all, err := countLevels("../../../pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	of, err := levelsOf(all, shards, measured)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// More shards than a task of the tree merges have another round, which costs what the
// first does.
func TestLevelsOf(t *testing.T) {
	if got, want := levels(t, 3000), []level{{"merge1", "merge1", 55}, {"sums", "sums", 16}, {"lists", "lists", 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := levels(t, 16000), []level{{"merge1", "merge1", 250}, {"merge2", "merge1", 64}, {"sums", "sums", 16}, {"lists", "lists", 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTake(t *testing.T) {
	rows := 1000 * shardRows
	take := func(c cluster) map[string]taken {
		of := map[string]taken{}
		for _, s := range c.simulateSteps(rows, measured, perShard, levels(t, 1000)) {
			of[s.String()] = s
		}
		return of
	}
	few, many := take(cluster{machine: 4, cores: 10, parts: 100}), take(cluster{machine: 4, cores: 1000, parts: 100})
	shard := shardRows * 1e-4
	if got, want := few["parse"].elapsed, 100*shard+10; !near(got, want) {
		t.Errorf("1000 shards on 10 processors take %v s, want %v", got, want)
	}
	if got, want := many["parse"].elapsed, shard+1; !near(got, want) {
		t.Errorf("1000 shards on as many processors take %v s, want %v", got, want)
	}
	if got, want := many["index"].elapsed, rows*1e-6/4; !near(got, want) {
		t.Errorf("an index on a machine of 4 processors takes %v s, want %v", got, want)
	}
	if got, want := many["count sums"].elapsed, rows*1e-6/16; !near(got, want) {
		t.Errorf("16 sums take %v s on many processors, want %v", got, want)
	}
	if got, want := many["balance candidates"].elapsed, 10+sampledRows*1e-5; !near(got, want) {
		t.Errorf("balance takes %v s of a corpus that is larger than what it reads, want %v", got, want)
	}
	if got, want := few["parse"].requests, (asked{3000 + 100, 1200, 7000 + 500}); got != want {
		t.Errorf("requests %v, want %v", got, want)
	}
	if s := few["parse"]; !near(s.dollars(), (4300*0.005+7500*0.0004)/1000) {
		t.Errorf("they cost %v dollars", s.dollars())
	}
}

func near(a, b float64) bool { return a > b*(1-1e-9) && a < b*(1+1e-9) }

// The requests of a corpus of two sizes are what a shard and what a process costs.
func TestCountRequests(t *testing.T) {
	of, err := countRequests("../../../pipeline.yaml", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range folder.Passes {
		r := of[row.Pass]
		if row.Pass.IsByShard() && (r.shard.puts < 1 || r.shard.gets < 1 || r.shard.puts+r.shard.lists+r.shard.gets > 12) {
			t.Errorf("%s: a shard asks %+v", row.Pass, r.shard)
		}
		if r.process.gets < 1 {
			t.Errorf("%s: a process reads nothing: %+v", row.Pass, r.process)
		}
	}
}

func TestPrint(t *testing.T) {
	var out bytes.Buffer
	c := cluster{machine: 16, cores: 64, parts: 1000}
	c.print(&out, 400_000_000, c.simulateSteps(4e8, measured, perShard, levels(t, countShards(4e8))))
	for _, want := range []string{"400000000 captions in 3256 shards, 64 processors", "\nparse ", "\ncount merge1 ", "\nin all", "% of the hours"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}
