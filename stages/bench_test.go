package stages

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/parquetio"
	"capgraph/pipeline"
	"capgraph/store"
)

const cocoCaptions = "../../shared/data/coco/captions_val2017.json"

// bench is a finished run over COCO's captions on one processor.
type bench struct {
	config *config.Config
	corpus *pipeline.Corpus
	folder folder.Folder
	passes []*pipeline.Pass
	index  *folder.Index
	rows   int64
}

func recipeFor(dir string, balance bool) *config.Config {
	c := config.Defaults()
	c.Source.Format, c.Source.Paths, c.Output.Dir = "coco", []string{cocoCaptions}, dir
	c.Negatives.Balance.Enabled = balance
	return &c
}

func newBench(b *testing.B, balance bool) *bench {
	b.Helper()
	if _, err := os.Stat(cocoCaptions); err != nil {
		b.Skipf("COCO's captions are not beside the repository: %v", err)
	}
	t := &bench{config: recipeFor(b.TempDir(), balance)}
	t.run(b)
	var err error
	if t.index, err = t.folder.ReadIndex(); err != nil {
		b.Fatal(err)
	}
	t.rows = t.index.Rows()
	return t
}

func (t *bench) run(b *testing.B) {
	b.Helper()
	t.folder = folder.Folder{Store: store.Local{}, Dir: t.config.Output.Dir}
	corpus := func() (*pipeline.Corpus, error) {
		var err error
		if t.corpus == nil {
			t.corpus, err = pipeline.OpenCorpus(store.Local{}, t.config.Source.Options)
		}
		return t.corpus, err
	}
	var err error
	if t.passes, err = Passes(t.config, t.folder, corpus); err != nil {
		b.Fatal(err)
	}
	run := &pipeline.Run{Folder: t.folder, Corpus: corpus, Output: t.config.Output, Passes: t.passes, Env: t.env(), Workers: 1}
	if err := run.Do(context.Background(), ""); err != nil {
		b.Fatal(err)
	}
}

func (t *bench) env() pipeline.Env {
	return pipeline.Env{Mem: memory.NewGoAllocator(), Seed: t.config.Seed, Counts: t.folder.ReadCounts}
}

// batches reads a shard whole.
func (t *bench) batches(b *testing.B, from pipeline.Batches, err error) []arrow.Record {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	var all []arrow.Record
	for {
		rec, _, err := from.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, rec)
	}
}

func (t *bench) source(b *testing.B) []arrow.Record {
	from, err := t.corpus.Read(context.Background(), memory.DefaultAllocator, t.index, t.index.Shards[0])
	return t.batches(b, from, err)
}

func (t *bench) shard(b *testing.B, pass folder.Pass, columns []string) []arrow.Record {
	from, err := t.folder.ReadShard(memory.DefaultAllocator, pass, t.index.Shards[0].Name, columns)
	return t.batches(b, from, err)
}

func (t *bench) report(b *testing.B) {
	b.ReportMetric(float64(t.rows)*float64(b.N)/b.Elapsed().Seconds(), "captions/s")
}

// stage opens a stage of a pass.
func (t *bench) stage(b *testing.B, pass int, name string) pipeline.Stage {
	b.Helper()
	for _, spec := range t.passes[pass].Stages {
		if spec.Name == name {
			stage, err := spec.New(context.Background(), t.env())
			if err != nil {
				b.Fatal(err)
			}
			return stage
		}
	}
	b.Fatalf("no stage %s", name)
	return nil
}

// through sends batches through a stage.
func through(b *testing.B, in []arrow.Record, stage pipeline.Stage) {
	b.Helper()
	for _, rec := range in {
		out, err := stage.Process(context.Background(), rec, pipeline.NewReport())
		if err != nil {
			b.Fatal(err)
		}
		out.Release()
	}
}

// part measures a stage that has looked its words up.
func (t *bench) part(b *testing.B, name string, in []arrow.Record, stage pipeline.Stage) {
	through(b, in, stage)
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			through(b, in, stage)
		}
		t.report(b)
	})
}

func (t *bench) write(b *testing.B, batches []arrow.Record, schema *arrow.Schema) {
	b.Helper()
	w, err := parquetio.NewWriter(io.Discard, schema, parquetio.WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, rec := range batches {
		if err := w.Write(rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRun measures every part of a run over COCO val2017 on one
// processor, and the whole, beside a plain copy of the finished texts through
// the same reader and writer. Negatives are not balanced.
func BenchmarkRun(b *testing.B) {
	t := newBench(b, false)
	captions := t.source(b)
	graphs := t.shard(b, folder.PassParse, nil)
	texts := t.shard(b, folder.PassTexts, nil)
	texted := t.shard(b, folder.PassParse, textsColumns(false))
	last := len(t.passes) - 1

	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			t.source(b)
		}
		t.report(b)
	})
	parts := []struct {
		name  string
		in    []arrow.Record
		pass  int
		stage string
	}{
		{"clean", captions, 0, "clean"},
		{"parse", graphs, 0, "parse"},
		{"tally", graphs, 1, "tally"},
		{"decompose+negate", texted, last, "negate"},
	}
	for _, p := range parts {
		t.part(b, p.name, p.in, t.stage(b, p.pass, p.stage))
	}
	b.Run("write graphs", func(b *testing.B) {
		for b.Loop() {
			t.write(b, graphs, graphs[0].Schema())
		}
		t.report(b)
	})
	b.Run("write texts", func(b *testing.B) {
		for b.Loop() {
			t.write(b, texts, texts[0].Schema())
		}
		t.report(b)
	})
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			t.write(b, t.shard(b, folder.PassTexts, nil), texts[0].Schema())
		}
		t.report(b)
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			whole := &bench{config: recipeFor(b.TempDir(), false)}
			whole.run(b)
		}
		t.report(b)
	})
}

// BenchmarkBalanced measures the part that does more where negatives are
// balanced. The balance is learned outside of what is timed: it takes the same
// time whatever the size of the corpus.
func BenchmarkBalanced(b *testing.B) {
	t := newBench(b, true)
	t.part(b, "decompose+negate", t.shard(b, folder.PassParse, textsColumns(false)), t.stage(b, len(t.passes)-1, "negate"))
}
