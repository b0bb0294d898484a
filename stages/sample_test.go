package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// sampledCorpus has images of one caption and of many, together and apart, one of which is cut.
func sampledCorpus(t *testing.T) string {
	var lines strings.Builder
	for i := range 900 {
		caption := []string{"a red dog on a mat", "two black cats under a table", "a man riding a brown horse", "a woman in blue holding an umbrella"}[i%4]
		fmt.Fprintf(&lines, "http://x.org/%d.jpg\t%s %d\n", []int{i / 2, i % 7, i}[i%3], caption, i%450)
	}
	for i := range 1500 {
		fmt.Fprintf(&lines, "http://x.org/many.jpg\ta white ball number %d\n", i)
	}
	source := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(source, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return source
}

// sampledRun lays out a run in which the pass tally keeps a sample as s says.
func sampledRun(t *testing.T, source, dir string, s sampleSize, rows int64, workers, sample int) *pipeline.Run {
	t.Helper()
	c := config.Defaults()
	c.Source.Format, c.Source.Paths, c.Output.Dir, c.Output.ShardRows = "cc12m", []string{source}, dir, rows
	c.Negatives.Balance.Sample = sample
	out := folder.Folder{Store: store.Local{}, Dir: dir}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(store.Local{}, c.Source.Options) }
	passes, err := Passes(&c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, pass := range passes {
		if pass.Name == folder.PassTally {
			pass.Sample = s.chooseSample
		}
	}
	return &pipeline.Run{Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: workers, Env: pipeline.Env{Mem: memory.NewGoAllocator()}}
}

// balanced makes the passes up to balance, and gives the bytes that this makes and its figures.
func balanced(t *testing.T, r *pipeline.Run) string {
	t.Helper()
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally, folder.PassCount, folder.PassBalance} {
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	weights, err := os.ReadFile(r.Folder.Path(folder.ReducedFile(folder.Balance)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Folder.ReadEntry(folder.PassBalance, folder.Whole)
	if err != nil {
		t.Fatal(err)
	}
	if e.Stats["candidates"] == 0 {
		t.Error("no candidate was made")
	}
	return fmt.Sprint(len(weights), " ", xxhash.Sum64(weights), " ", e.Stats)
}

// What the pass balance learns is the same from samples as from graphs/, with any number of
// workers.
func TestBalanceIsTheSameFromSamples(t *testing.T) {
	source := sampledCorpus(t)
	for _, sample := range []int{100, 500} {
		want := balanced(t, sampledRun(t, source, t.TempDir(), sampleSize{1 << 40}, 400, 2, sample))
		for _, workers := range []int{1, 3} {
			r := sampledRun(t, source, t.TempDir(), sampleSize{600}, 400, workers, sample) // one image of four
			if got := balanced(t, r); got != want {
				t.Errorf("a sample of %d, %d workers: %s\nand from graphs/ %s", sample, workers, got, want)
			}
			if kept, err := os.ReadDir(r.Folder.Path(folder.MetaDir, "sample/tally")); err != nil || len(kept) < 4 {
				t.Error(kept, err)
			}
		}
	}
}

// Balance reads no graphs where samples are enough, and goes on without samples that
// are missing.
func TestSamplesAreReadAlone(t *testing.T) {
	source, dir := sampledCorpus(t), t.TempDir()
	r := sampledRun(t, source, dir, sampleSize{200}, 400, 2, 100)
	want := balanced(t, r)
	graphs, err := filepath.Glob(dir + "/graphs/*.parquet")
	if err != nil || len(graphs) < 4 {
		t.Fatal(graphs, err)
	}
	for _, name := range graphs {
		if err := os.Rename(name, name+".away"); err != nil {
			t.Fatal(err)
		}
	}
	again := func() (err error) {
		state, err := r.Folder.Read()
		if err != nil {
			return err
		}
		var taken int64
		red := &pipeline.Reducer{Env: r.Env, Folder: r.Folder, Index: state.Index, Shards: state.Index.Shards}
		err = eachSampled(context.Background(), newSampler(100, 2400), red, func(rec arrow.Record) error { taken += rec.NumRows(); return nil })
		if err == nil && !strings.Contains(want, fmt.Sprint("captions:", taken, " ")) {
			t.Errorf("%d captions are in the sample, and %s", taken, want)
		}
		return err
	}
	if err := again(); err != nil {
		t.Error(err)
	}
	first := folder.Folder{Store: store.Local{}, Dir: dir}.Path(folder.SampleFile(folder.PassTally, strings.TrimSuffix(filepath.Base(graphs[0]), ".parquet")))
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	var gone *folder.MissingFileError
	if err := again(); !errors.As(err, &gone) {
		t.Errorf("without a sample and without graphs/: %v", err)
	}
	for _, name := range graphs {
		if err := os.Rename(name+".away", name); err != nil {
			t.Fatal(err)
		}
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}

// A sample has all rows of the images whose hash begins with so many bits of 0, and no other.
func TestSampleHasTheRowsOfSomeImages(t *testing.T) {
	source, dir := sampledCorpus(t), t.TempDir()
	r := sampledRun(t, source, dir, sampleSize{250}, 400, 2, 100) // one of nine: of eight
	balanced(t, r)
	state, err := r.Folder.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range state.Index.Shards {
		kept, err := r.Folder.ReadSample(memory.NewGoAllocator(), folder.PassTally, s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if kept.Share != 8 {
			t.Errorf("one of %d images", kept.Share)
		}
		graphs, err := r.Folder.ReadShard(memory.NewGoAllocator(), folder.PassParse, s.Name, []string{schemas.ColKey, schemas.ColImageKey})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(keysOf(t, graphs), func(row [2]string) bool { return bits.LeadingZeros64(xxhash.Sum64String(row[1])) < 3 })
		if got := keysOf(t, kept); !slices.Equal(got, want) {
			t.Errorf("%s: %q\nwant %q", s.Name, got, want)
		}
	}
	// A corpus that is not many times as large has none.
	if s := (sampleSize{601}).chooseSample(state.Index); s != nil {
		t.Errorf("one of %d images of a small corpus", s.OneIn)
	}
}

func keysOf(t *testing.T, batches pipeline.Batches) (rows [][2]string) {
	t.Helper()
	defer batches.Close()
	for {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		columns, err := schemas.Strings(rec, schemas.ColKey, schemas.ColImageKey)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(rec.NumRows()) {
			rows = append(rows, [2]string{strings.Clone(columns[0].Value(i)), strings.Clone(columns[1].Value(i))})
		}
		rec.Release()
	}
}

// --redo tally removes the samples.
func TestSamplesAreRemoved(t *testing.T) {
	source, dir := sampledCorpus(t), t.TempDir()
	balanced(t, sampledRun(t, source, dir, sampleSize{200}, 400, 2, 100))
	r := sampledRun(t, source, dir, sampleSize{1 << 40}, 400, 2, 100)
	r.Redo = folder.PassTally
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, ".capgraph/sample/tally")); err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
