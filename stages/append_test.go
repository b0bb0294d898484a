package stages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/testing/faultstore"
	"capgraph/testing/longtest"
	"capgraph/verify"
)

// growing is a folder of captions to which files come, and what is made of it.
type growing struct {
	t       *testing.T
	in, out string
	sets    []string
	said    []string // by the last run
	least   int64    // as Sampling has it; 0 where no sample is kept
}

func newGrowing(t *testing.T, sets ...string) *growing {
	return &growing{t: t, in: t.TempDir(), out: t.TempDir(), sets: sets}
}

// put writes the lines from first to before last of the sample corpus.
func (g *growing) put(name string, first, last int, more ...string) {
	g.t.Helper()
	data, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		g.t.Fatal(err)
	}
	lines := append(bytes.SplitAfter(data, []byte("\n"))[first:last:last], []byte(strings.Join(more, "")))
	if err := os.WriteFile(filepath.Join(g.in, name), bytes.Join(lines, nil), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

func (g *growing) laidOut(s store.Store, sets ...string) *pipeline.Run {
	r := newRun(g.t, s, memory.NewGoAllocator(), filepath.Join(g.in, "*.tsv"), g.out, 2, append(slices.Clone(g.sets), sets...)...)
	for _, pass := range r.Passes {
		if g.least > 0 && pass.Name == folder.PassTally {
			pass.Sample = stages.Sampling(g.least)
		}
	}
	g.said = nil
	r.Warn = func(text string) { g.said = append(g.said, text) }
	return r
}

func (g *growing) run(redo folder.Pass) error {
	r := g.laidOut(store.Local{})
	r.Redo = redo
	return r.Do(context.Background(), "")
}

func (g *growing) append(s store.Store, only folder.Pass, sets ...string) error {
	r := g.laidOut(s, sets...)
	r.Append = true
	return r.Do(context.Background(), only)
}

func (g *growing) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// rows are those of graphs/ and texts/, sorted, and those of the files of counts.
func (g *growing) rows() map[string][]string {
	g.t.Helper()
	f := folder.Folder{Store: store.Local{}, Dir: g.out}
	all := map[string][]string{}
	state, err := f.Read()
	g.must(err)
	for _, pass := range folder.RowPasses() {
		for _, s := range state.Finished(pass) {
			batches, err := f.ReadShard(memory.NewGoAllocator(), pass, s.Name, nil)
			g.must(err)
			for {
				rec, _, err := batches.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				g.must(err)
				text, err := rec.MarshalJSON()
				g.must(err)
				all[string(pass)] = append(all[string(pass)], strings.Split(strings.TrimSpace(string(text)), "\n")...)
				rec.Release()
			}
			batches.Close()
		}
		slices.Sort(all[string(pass)])
	}
	for _, name := range []string{folder.Vocabulary, folder.Duplicates, folder.Balance} {
		counts, err := f.ReadCounts(name)
		g.must(err)
		for c, err := range counts {
			g.must(err)
			all[name] = append(all[name], fmt.Sprint(c))
		}
	}
	return all
}

// like fails unless the rows are those of one run over all files.
func (g *growing) like(what string, passes ...string) {
	g.t.Helper()
	one := &growing{t: g.t, in: g.in, out: g.t.TempDir(), sets: g.sets}
	g.must(one.run(""))
	want, got := one.rows(), g.rows()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if len(passes) > 0 && !slices.Contains(passes, name) {
			continue
		}
		if !slices.Equal(want[name], got[name]) {
			g.t.Errorf("%s: %s has %d rows that are not those of one run, which has %d", what, name, len(got[name]), len(want[name]))
			for i := range want[name] {
				if i >= len(got[name]) || got[name][i] != want[name][i] {
					g.t.Errorf("row %d\n%.600s", i, want[name][i])
					if i < len(got[name]) {
						g.t.Errorf("not\n%.600s", got[name][i])
					}
					break
				}
			}
		}
	}
}

// verified gives what verify notes; a problem fails.
func (g *growing) verified() (notes []string) {
	g.t.Helper()
	f := folder.Folder{Store: store.Local{}, Dir: g.out}
	_, err := verify.Run(context.Background(), f, verify.Options{}, func(p verify.Problem) {
		if !p.Note {
			g.t.Errorf("verify: %s", p)
		}
		notes = append(notes, p.String())
	})
	g.must(err)
	return notes
}

// explained fails unless the candidates of the rows of a shard come to the negatives that it
// has.
func (g *growing) explained(shard string) {
	g.t.Helper()
	f := folder.Folder{Store: store.Local{}, Dir: g.out}
	batches, err := f.ReadShard(memory.NewGoAllocator(), folder.PassTexts, shard, nil)
	g.must(err)
	defer batches.Close()
	rec, _, err := batches.Next()
	g.must(err)
	defer rec.Release()
	text, err := rec.MarshalJSON()
	g.must(err)
	var rows []struct {
		Key string
		Neg []string
	}
	g.must(json.Unmarshal(text, &rows))
	all := 0
	for _, row := range rows {
		fates, err := stages.Explain(context.Background(), f, g.t.TempDir(), shard, row.Key)
		g.must(err)
		var neg []string
		for _, n := range fates.Pool.Negatives {
			neg = append(neg, n.Text)
		}
		if !slices.Equal(neg, row.Neg) {
			g.t.Errorf("%s, row %s: %q is explained, want %q", shard, row.Key, neg, row.Neg)
		}
		all += len(neg)
	}
	if all == 0 {
		g.t.Errorf("%s has no negative", shard)
	}
}

// again is captions of images that the first files have, and of some of their own.
var again = []string{
	"http://x.org/1.jpg\ta red dog on a mat\n", "http://x.org/2.jpg\ttwo black cats under a table\n", "http://x.org/1.jpg\ta brown dog on a green mat\n",
}

// A folder that files joined, twice, before and after its own by their names, has the keys,
// the vocabulary and, once its texts are made anew, the texts of one run over all.
func TestAppendedIsLikeOneRun(t *testing.T) {
	g := newGrowing(t)
	g.put("m.tsv", 0, 60, again...)
	g.must(g.run(""))
	before := files(t, g.out)

	g.put("a.tsv", 60, 85, again[1:]...)
	g.put("z.tsv", 85, 110)
	g.must(g.append(store.Local{}, ""))
	after := files(t, g.out)
	for name, sum := range before {
		if kept := strings.HasPrefix(name, "graphs/") || strings.HasPrefix(name, "texts/") || name == folder.IndexFile; kept && after[name] != sum {
			t.Errorf("%s is another", name)
		}
	}
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "7 of 13 shards of texts/ were made before files joined") {
		t.Errorf("said %q", said)
	}
	if notes := strings.Join(g.verified(), "\n"); !strings.Contains(notes, "7 of 13 shards were made before files joined") {
		t.Errorf("verify notes %q", notes)
	}
	g.like("appended", "parse", folder.Vocabulary, folder.Duplicates, folder.Balance)
	if after[".capgraph/before/00000/vocabulary.parquet"] != before[".capgraph/vocabulary.parquet"] {
		t.Error("the vocabulary of the texts of before is not kept")
	}

	g.explained("train-00001-of-00007")
	g.explained("train-g001-00001-of-00006")

	g.must(g.run(""))
	same(t, "run again", after, files(t, g.out))

	g.put("zz.tsv", 110, 140)
	g.must(g.append(store.Local{}, ""))
	if notes := strings.Join(g.verified(), "\n"); !strings.Contains(notes, "13 of 16 shards were made before files joined") {
		t.Errorf("verify notes %q", notes)
	}
	g.like("appended twice", "parse", folder.Vocabulary, folder.Duplicates, folder.Balance)

	g.must(g.run(folder.PassTexts))
	g.said = slices.DeleteFunc(g.said, func(s string) bool { return strings.Contains(s, "captions in several places") }) // across files
	if len(g.said) > 0 {
		t.Errorf("said %q", g.said)
	}
	for _, note := range g.verified() {
		if strings.Contains(note, "joined") {
			t.Error(note)
		}
	}
	g.like("texts made anew")
}

// The shards of before keep a larger share of their images than those of the files that join: the
// balance equals that of one run, and depends on graphs/ alone.
func TestAppendedSamples(t *testing.T) {
	g := newGrowing(t)
	g.least = 10
	g.put("m.tsv", 0, 60, again...)
	g.must(g.run(""))
	g.put("z.tsv", 60, 110)
	g.must(g.append(store.Local{}, ""))
	shares := map[uint64]int{}
	state, err := g.laidOut(store.Local{}).Folder.Read()
	g.must(err)
	for _, s := range state.Index.Shards {
		kept, err := state.Folder.ReadSample(memory.NewGoAllocator(), folder.PassTally, s.Name)
		g.must(err)
		shares[kept.Share]++
		kept.Close()
	}
	if len(shares) != 2 || shares[4] == 0 || shares[8] == 0 {
		t.Errorf("shards by the share of their samples: %v", shares)
	}
	g.verified()
	g.like("appended", folder.Balance) // of one run without samples
}

// A run over a folder of many shards that files joined, in which nothing is left to do, reads
// none of their entries to say how many are of before.
func TestGrownFolderReadsNoEntries(t *testing.T) {
	g := newGrowing(t, "output.shard_rows=1")
	g.put("a.tsv", 0, folder.CompactFrom)
	g.must(g.run(""))
	g.put("b.tsv", folder.CompactFrom, folder.CompactFrom+2)
	g.must(g.append(store.Local{}, ""))
	var entries atomic.Int64
	r := g.laidOut(faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Open && strings.Contains(name, "/entries/texts/") {
			entries.Add(1)
		}
		return nil
	}))
	g.must(r.Do(context.Background(), ""))
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "64 of 66 shards of texts/ were made before files joined") {
		t.Errorf("said %q", said)
	}
	if n := entries.Load(); n > 0 {
		t.Errorf("%d entries were read", n)
	}
	if err := os.WriteFile(filepath.Join(g.out, ".capgraph/compact/texts/state.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.must(g.run(""))
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "64 of 66 shards") {
		t.Errorf("with a cache that says nothing: %q", said)
	}
}

// Where nothing is finished and the index gives way to other settings, what joins is in it from
// the first, and the folder equals one of a single run.
func TestAppendToAReplacedIndex(t *testing.T) {
	g := newGrowing(t)
	g.put("m.tsv", 0, 40)
	g.must(g.laidOut(store.Local{}).Do(context.Background(), folder.PassIndex))
	g.put("a.tsv", 40, 70)
	g.sets = []string{"output.shard_rows=20"}
	g.must(g.append(store.Local{}, ""))
	one := &growing{t: t, in: g.in, out: t.TempDir(), sets: g.sets}
	one.must(one.run(""))
	same(t, "given way", files(t, one.out), files(t, g.out))
	g.must(g.run(""))
	g.verified()
}

// What the texts of before were made with is looked at, and a folder that lacks it is not whole.
func TestKeptIsVerified(t *testing.T) {
	g := newGrowing(t)
	g.put("a.tsv", 0, 20)
	g.must(g.run(""))
	g.put("b.tsv", 20, 40)
	g.must(g.append(store.Local{}, ""))
	g.verified()
	told := func() (told string) {
		_, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: g.out}, verify.Options{}, func(p verify.Problem) { told += p.String() + "\n" })
		g.must(err)
		return told
	}
	kept := filepath.Join(g.out, ".capgraph/before/00000")
	g.must(os.Truncate(filepath.Join(kept, "vocabulary.parquet"), 10))
	g.must(os.Remove(filepath.Join(kept, "balance.parquet")))
	for _, want := range []string{kept + "/vocabulary.parquet: its SHA-256 is ", kept + "/balance.parquet: "} {
		if said := told(); !strings.Contains(said, want) {
			t.Errorf("there is no %q in %s", want, said)
		}
	}
	g.must(os.RemoveAll(kept))
	if said, want := told(), "it was made by the plan "; !strings.Contains(said, want) {
		t.Errorf("there is no %q in %s", want, said)
	}
	g.must(g.run(folder.PassTexts))
	g.verified()
}

// An append that is killed anywhere is gone on with by the same command, and by a run
// without it once the files joined.
func TestAppendIsKilled(t *testing.T) {
	first := newGrowing(t, "dedupe=exact")
	first.put("a.tsv", 0, 25, again...)
	first.must(first.run(""))
	first.put("b.tsv", 25, 40, again...)

	at := func(out string) *growing {
		g := &growing{t: t, in: first.in, out: out, sets: first.sets}
		if err := os.CopyFS(out, os.DirFS(first.out)); err != nil {
			t.Fatal(err)
		}
		return g
	}
	whole := at(t.TempDir())
	counting := faultstore.New(store.Local{}, func(int64, faultstore.Op, string) error { return nil })
	whole.must(whole.append(counting, ""))
	want := files(t, whole.out)
	kills := map[string]faultstore.Injector{}
	every := counting.Count() / 12
	if !longtest.Wanted() {
		every = counting.Count() / 3
	}
	for n := int64(1); n < counting.Count(); n += every {
		kills[fmt.Sprint("operation ", n)] = from(func(i int64, _ faultstore.Op, _ string) bool { return i >= n })
	}
	for _, c := range []struct {
		op   faultstore.Op
		name string
	}{
		{faultstore.Publish, "before/00000/vocabulary.parquet"}, {faultstore.Publish, "index-00001.json"}, {faultstore.Published, "index-00001.json"},
		{faultstore.Remove, "entries/count/all.json"}, {faultstore.Remove, "vocabulary.parquet"}, {faultstore.Remove, "plans/balance.json"},
		{faultstore.Publish, "entries/count/all.json"}, {faultstore.Publish, "entries/texts/train-g001-00001-of-00002.json"},
	} {
		kills[string(c.op)+" "+c.name] = from(func(_ int64, op faultstore.Op, name string) bool {
			return op == c.op && strings.HasSuffix(name, c.name)
		})
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(kills)) {
		g := at(t.TempDir())
		if err := g.append(faultstore.New(store.Local{}, kills[name]), ""); err == nil {
			t.Errorf("killed at %s: no error", name)
		}
		entriesHold(t, name, g.out, files(t, g.out))
		again := func() error { return g.append(store.Local{}, "") }
		if joined := read(t, folder.Folder{Store: store.Local{}, Dir: g.out}).Index.Generations == 1; joined {
			if n++; n%2 == 0 {
				again = func() error { return g.run("") }
			}
		}
		if err := again(); err != nil {
			t.Errorf("killed at %s: and again: %v", name, err)
		}
		same(t, "killed at "+name, want, files(t, g.out))
	}
	whole.must(whole.run(folder.PassTexts))
	whole.like("texts made anew")
}

// from fails everything from the first operation on of which dies is true.
func from(dies func(n int64, op faultstore.Op, name string) bool) faultstore.Injector {
	var dead atomic.Bool
	return func(n int64, op faultstore.Op, name string) error {
		if dead.Load() || dies(n, op, name) {
			dead.Store(true)
			return syscall.EIO
		}
		return nil
	}
}

// Of two that append other files at the same time one does, and the other says so.
func TestConcurrentAppends(t *testing.T) {
	for _, at := range []struct {
		op   faultstore.Op
		name string
		only folder.Pass // of the other append
	}{
		{faultstore.Publish, "index-00001.json", ""},
		{faultstore.Open, "balance.parquet", folder.PassIndex},
		{faultstore.Open, "plans/texts.json", ""},
	} {
		g := newGrowing(t)
		g.put("a.tsv", 0, 20)
		g.must(g.run(""))
		g.put("b.tsv", 20, 40)
		other := &growing{t: t, in: t.TempDir(), out: g.out}
		g.must(os.CopyFS(other.in, os.DirFS(g.in)))
		g.must(os.Remove(filepath.Join(other.in, "b.tsv")))
		other.put("c.tsv", 40, 60)
		alone := &growing{t: t, in: other.in, out: t.TempDir()}
		g.must(os.CopyFS(alone.out, os.DirFS(g.out)))
		alone.must(alone.append(store.Local{}, at.only))
		indexed, done := false, false // by the append that meets another
		var one sync.Mutex
		meanwhile := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
			one.Lock()
			defer one.Unlock()
			indexed = indexed || op == faultstore.Open && strings.HasSuffix(name, "b.tsv")
			if op == at.op && strings.HasSuffix(name, at.name) && indexed && !done {
				done = true
				other.must(other.append(store.Local{}, at.only))
			}
			return nil
		})
		err := g.append(meanwhile, "")
		if want := "--append: other files joined " + g.out + " meanwhile, and not all of b.tsv did: run again with --append, and with source.paths that names those files too"; err == nil || err.Error() != want || !done {
			t.Errorf("%s %s: error %v, want %s", at.op, at.name, err, want)
		}
		same(t, fmt.Sprintf("%s %s: the other append", at.op, at.name), files(t, alone.out), files(t, g.out))
		other.must(other.append(store.Local{}, ""))
		other.verified()
		other.put("b.tsv", 20, 40)
		other.must(other.append(store.Local{}, ""))
		other.verified()
	}
}

// Of two that append the same files at the same time, both end with the folder that one makes.
func TestConcurrentAppendsOfTheSameFiles(t *testing.T) {
	for _, at := range []struct {
		op      faultstore.Op
		name    string
		indexed bool          // the other append comes after this one has read b.tsv
		only    []folder.Pass // of the other append; all that follows is left to this one
	}{
		{faultstore.Publish, "index-00001.json", true, []folder.Pass{""}},
		{faultstore.Open, "balance.parquet", true, []folder.Pass{""}},
		{faultstore.Open, "plans/texts.json", true, []folder.Pass{folder.PassIndex}},
		{faultstore.Open, "plans/parse.json", false, []folder.Pass{folder.PassIndex, folder.PassParse}},
	} {
		g := newGrowing(t)
		g.put("a.tsv", 0, 20)
		g.must(g.run(""))
		g.put("b.tsv", 20, 40)
		alone := &growing{t: t, in: g.in, out: t.TempDir()}
		g.must(os.CopyFS(alone.out, os.DirFS(g.out)))
		alone.must(alone.append(store.Local{}, ""))
		other := &growing{t: t, in: g.in, out: g.out}
		indexed, done := false, false // by the append that meets another
		var one sync.Mutex
		meanwhile := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
			one.Lock()
			defer one.Unlock()
			indexed = indexed || op == faultstore.Open && strings.HasSuffix(name, "b.tsv")
			if op == at.op && strings.HasSuffix(name, at.name) && (indexed || !at.indexed) && !done {
				done = true
				for _, only := range at.only {
					other.must(other.append(store.Local{}, only))
				}
			}
			return nil
		})
		if err := g.append(meanwhile, ""); err != nil || !done {
			t.Errorf("%s %s: error %v, met another: %v", at.op, at.name, err, done)
		}
		same(t, fmt.Sprintf("%s %s", at.op, at.name), files(t, alone.out), files(t, g.out))
		g.verified()
	}
}

// Parts make the shards of files that joined, once they did.
func TestPartsOfAnAppend(t *testing.T) {
	g := newGrowing(t)
	g.put("a.tsv", 0, 40, again...)
	g.must(g.run(""))
	g.put("b.tsv", 40, 80, again...)
	whole := &growing{t: t, in: g.in, out: t.TempDir()}
	g.must(os.CopyFS(whole.out, os.DirFS(g.out)))
	whole.must(whole.append(store.Local{}, ""))
	g.must(g.append(store.Local{}, folder.PassIndex))
	for _, pass := range folder.Passes {
		for part := range 3 {
			r := g.laidOut(store.Local{})
			if r.Part, r.Parts = part, 3; pass.Pass == folder.PassBalance {
				if r.Part, r.Parts = 0, 1; part > 0 {
					continue
				}
			}
			g.must(r.Do(context.Background(), pass.Pass))
		}
	}
	same(t, "in parts", files(t, whole.out), files(t, g.out))
}

// What keeps files from joining is said before anything is written.
func TestAppendIsRefused(t *testing.T) {
	g := newGrowing(t)
	g.put("a.tsv", 0, 20)
	refused := func(err error, want ...string) {
		t.Helper()
		for _, text := range want {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("error %v, want %q in it", err, text)
			}
		}
	}
	refused(g.append(store.Local{}, ""), "--append: "+g.out+" has no index", "run without --append")
	g.must(g.run(""))
	before := files(t, g.out)
	g.put("b.tsv", 20, 40)
	refused(g.run(""), "source.paths names 1 file that is not in "+g.out+": b.tsv: let them join it with --append")
	refused(g.append(store.Local{}, "", "negatives.max_negatives=1"), "made by other settings of pass texts", "max_negatives")
	refused(g.append(store.Local{}, "", "clean.max_chars=90"), "made by other settings of pass parse", "max_chars")
	g.put("a.tsv", 0, 21)
	refused(g.append(store.Local{}, ""), "a.tsv has", "when it was indexed: put the file back")
	g.put("a.tsv", 0, 20)
	g.must(os.Rename(filepath.Join(g.in, "a.tsv"), filepath.Join(g.in, "moved")))
	refused(g.append(store.Local{}, ""), "source.paths does not name all files that are in "+g.out+": a.tsv: name the files of before")
	g.must(os.Rename(filepath.Join(g.in, "moved"), filepath.Join(g.in, "a.tsv")))
	same(t, "refused", before, files(t, g.out))

	g.must(os.Remove(filepath.Join(g.out, ".capgraph/entries/texts/train-00001-of-00002.json")))
	var unready *pipeline.NotReadyError
	if err := g.append(store.Local{}, folder.PassIndex); !errors.As(err, &unready) {
		t.Errorf("error %v, want that the texts are not whole", err)
	}
	g.must(g.append(store.Local{}, ""))
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "is not finished: 1 file joins when it is") {
		t.Errorf("said %q", said)
	}
	g.verified()

	g.said = nil
	g.must(g.append(store.Local{}, ""))
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "has all 2 files of source.paths: none joins") {
		t.Errorf("said %q", said)
	}
}
