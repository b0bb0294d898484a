package verify_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
)

// sample is the folder of the sample corpus as its recipe makes it: the first test that asks for it makes it.
var sample fs.FS

// good returns a folder that is whole.
func good(t testing.TB, set ...string) string {
	t.Helper()
	dir := t.TempDir()
	if len(set) == 0 && sample != nil {
		if err := os.CopyFS(dir, sample); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	makeFolder(t, dir, set)
	if len(set) == 0 {
		sample = keepFiles(t, dir)
	}
	return dir
}

// keepFiles returns the files of a folder, in memory.
func keepFiles(t testing.TB, dir string) fs.FS {
	t.Helper()
	kept := fstest.MapFS{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			kept[filepath.ToSlash(name)] = &fstest.MapFile{}
			kept[filepath.ToSlash(name)].Data, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// makeFolder runs the sample corpus with these settings into dir.
func makeFolder(t testing.TB, dir string, set []string) {
	t.Helper()
	set = append([]string{"source.paths=../testdata/cc12m.tsv", "output.dir=" + dir, "output.shard_rows=50", "negatives.balance.sample=10"}, set...)
	c, err := config.Load("../pipeline.yaml", set)
	if err != nil {
		t.Fatal(err)
	}
	out := folder.Folder{Store: store.Local{}, Dir: dir}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(store.Local{}, c.Source.Options) }
	passes, err := stages.Passes(c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	r := &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: 2,
		Env: pipeline.Env{Mem: memory.NewGoAllocator(), Seed: c.Seed}}
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	accounts, err := r.Accounts()
	if err == nil {
		err = stages.WriteCard(out, capgraph.Version, "capgraph run", "", accounts[len(accounts)-1], true)
	}
	if err != nil {
		t.Fatal(err)
	}
}
