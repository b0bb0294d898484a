package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// asked is the mean number of requests to an object store, as faultstore.Requests counts them. An
// open file counts as read once, which holds for files up to some hundred kilobytes.
type asked struct{ puts, lists, gets float64 }

func (a asked) plus(b asked) asked {
	return asked{a.puts + b.puts, a.lists + b.lists, a.gets + b.gets}
}

func (a asked) times(n float64) asked { return asked{a.puts * n, a.lists * n, a.gets * n} }

// requests are the mean requests of a pass: for each shard, and for each process besides those for
// its shards.
type requests struct{ shard, process asked }

// countRequests returns the requests of each pass, from runs over two small corpora.
func countRequests(recipe, dir string) (map[folder.Pass]requests, error) {
	const few, many = 16, 64
	a, err := requestsOf(recipe, filepath.Join(dir, "few"), few)
	if err != nil {
		return nil, err
	}
	b, err := requestsOf(recipe, filepath.Join(dir, "many"), many)
	if err != nil {
		return nil, err
	}
	of := map[folder.Pass]requests{}
	for _, row := range folder.Passes {
		shard := b[row.Pass].plus(a[row.Pass].times(-1)).times(1. / (many - few))
		of[row.Pass] = requests{shard: shard, process: a[row.Pass].plus(shard.times(-few))}
	}
	return of, nil
}

// requestsOf runs each pass over a corpus of so many shards, of four rows each, in a process of its
// own, and returns the requests.
func requestsOf(recipe, dir string, shards int) (map[folder.Pass]asked, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "captions.tsv")
	if err := writeCaptions(source, 4*shards); err != nil {
		return nil, err
	}
	out := folder.Folder{Dir: filepath.Join(dir, "out")}
	of := map[folder.Pass]asked{}
	do := func(pass folder.Pass) error {
		var counter faultstore.Counter
		out.Store = faultstore.New(store.Local{}, counter.Count)
		r, err := newRun(recipe, out, "source.paths="+source, "output.shard_rows=4")
		if err == nil {
			err = r.Do(context.Background(), pass)
		}
		n := counter.Take()
		of[pass] = asked{float64(n.Puts), float64(n.Lists), float64(n.Gets)}
		return err
	}
	if err := do(folder.PassIndex); err != nil {
		return nil, err
	}
	for _, row := range folder.Passes {
		if err := do(row.Pass); err != nil {
			return nil, err
		}
	}
	return of, nil
}

func newRun(recipe string, out folder.Folder, sets ...string) (*pipeline.Run, error) {
	c, err := config.Load(recipe, append([]string{"output.dir=" + out.Dir}, sets...))
	if err != nil {
		return nil, err
	}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(out.Store, c.Source.Options) }
	passes, err := stages.Passes(c, out, corpus)
	if err != nil {
		return nil, err
	}
	return &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: 1, Env: pipeline.Env{Mem: memory.DefaultAllocator, Seed: c.Seed}}, nil
}

// countLevels returns the levels of the pass count.
func countLevels(recipe string) ([]pipeline.Level, error) {
	r, err := newRun(recipe, folder.Folder{Store: store.Local{}, Dir: os.DevNull})
	if err != nil {
		return nil, err
	}
	for _, pass := range r.Passes {
		if pass.Name == folder.PassCount {
			return pass.Levels, nil
		}
	}
	return nil, errors.New("no pass count")
}
