package stages_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/testing/faultstore"
	"capgraph/testing/longtest"
)

var (
	faultsEvery = flag.Int64("faults-every", 0, "fail every n-th operation of a run (0: one or two of each kind)")
	faultsFirst = flag.Int64("faults-first", 0, "the first operation that fails, with -faults-every")
)

// run runs all passes over a small corpus through a store.
func run(t testing.TB, s store.Store, source, dir string, workers int, sets ...string) error {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	return newRun(t, s, mem, source, dir, workers, sets...).Do(context.Background(), "")
}

func newRun(t testing.TB, s store.Store, mem memory.Allocator, source, dir string, workers int, sets ...string) *pipeline.Run {
	t.Helper()
	c, err := config.Load("../pipeline.yaml", append([]string{
		"source.paths=" + source, "output.dir=" + dir, "output.shard_rows=10", "negatives.balance.sample=10",
		"negatives.public_counts=0", // hundreds of runs would read them twice each
	}, sets...))
	if err != nil {
		t.Fatal(err)
	}
	out := folder.Folder{Store: s, Dir: dir}
	corpus := func() (*pipeline.Corpus, error) { return pipeline.OpenCorpus(s, c.Source.Options) }
	passes, err := stages.Passes(c, out, corpus)
	if err != nil {
		t.Fatal(err)
	}
	return &pipeline.Run{
		Folder: out, Corpus: corpus, Output: c.Output, Passes: passes, Workers: workers,
		Env: pipeline.Env{Mem: mem, Seed: c.Seed}, SkipBad: c.Source.OnBadFile == config.BadFileSkip, MaxBad: c.Source.MaxBadFiles,
	}
}

// corpus writes the first lines of the sample corpus.
func corpus(t testing.TB, lines int) string {
	t.Helper()
	data, err := os.ReadFile("../testdata/cc12m.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.SplitAfter(data, []byte("\n"))
	name := filepath.Join(t.TempDir(), "captions.tsv")
	if err := os.WriteFile(name, bytes.Join(all[:lines], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// files gives the hashes of all files of a folder by name.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// same compares two folders file by file.
func same(t testing.TB, what string, want, got map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %s is another or not there", what, name)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s: %s is left over", what, name)
		}
	}
}

// entriesHold fails where an entry names a file that is not whole.
func entriesHold(t testing.TB, what, dir string, got map[string]string) {
	t.Helper()
	for name := range got {
		if !strings.HasPrefix(name, ".capgraph/entries/") || strings.Contains(name, store.TempPrefix) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var e folder.Entry
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatalf("%s: %s: %v", what, name, err)
		}
		for _, f := range e.Files {
			if got[f.Name] != f.SHA256 {
				t.Errorf("%s: %s names %s, which is not whole", what, name, f.Name)
			}
		}
	}
}

// machineErrnos are all errors of the operating system that tell nothing of a file.
func machineErrnos() []syscall.Errno {
	var all []syscall.Errno
	for errno := syscall.Errno(1); errno < 134; errno++ {
		if store.IsEnvironmentError(errno) {
			all = append(all, errno)
		}
	}
	return all
}

// TestFaultAtEveryOperation fails each operation of a whole run in turn: there
// is an error that says which, no entry for what is half written, and the same
// bytes after another run.
func TestFaultAtEveryOperation(t *testing.T) {
	source := corpus(t, 30)
	whole := t.TempDir()
	var mu sync.Mutex
	kinds := map[faultstore.Op][]int64{}
	counting := faultstore.New(store.Local{}, func(n int64, op faultstore.Op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		kinds[op] = append(kinds[op], n)
		return nil
	})
	if err := run(t, counting, source, whole, 1); err != nil {
		t.Fatal(err)
	}
	want := files(t, whole)
	var at []int64
	if *faultsEvery > 0 {
		for n := *faultsFirst; n < counting.Count(); n += *faultsEvery {
			at = append(at, n)
		}
	} else {
		for op, of := range kinds {
			at = append(at, of[len(of)/2])
			if !longtest.Wanted() {
				continue
			}
			if op == faultstore.Write || op == faultstore.Publish || op == faultstore.Published {
				at = append(at, of[len(of)-1])
			}
		}
	}
	failed := map[faultstore.Op]int{}
	for _, n := range at {
		dir := t.TempDir()
		var op faultstore.Op
		var fault syscall.Errno
		inject := func(i int64, o faultstore.Op, name string) error {
			if i != n {
				return nil
			}
			op, fault = o, machineErrnos()[int(n)%len(machineErrnos())]
			return fault
		}
		err := run(t, faultstore.New(store.Local{}, inject), source, dir, 1)
		failed[op]++
		what := fmt.Sprintf("fault %d (%s, %v)", n, op, fault)
		if err != nil && !errors.Is(err, fault) {
			t.Errorf("%s: the error hides what failed: %v", what, err)
		}
		if err == nil {
			same(t, what+", which was overcome", want, files(t, dir))
		}
		got := files(t, dir)
		entriesHold(t, what, dir, got)
		for name := range got {
			if strings.HasPrefix(name, ".capgraph/failed/") {
				t.Errorf("%s: a fault of the machine was recorded as one of the file", what)
			}
		}
		if err := run(t, store.Local{}, source, dir, 1); err != nil {
			t.Errorf("%s: and again: %v", what, err)
		}
		same(t, what+", run again", want, files(t, dir))
	}
	for op, n := range failed {
		t.Logf("faults %s: %d", op, n)
	}
}

// A network that hiccups loses no file, also where bad files are passed over: no
// failure is recorded, and no index has one.
func TestNetworkErrorLosesNoFile(t *testing.T) {
	all := machineErrnos()
	if !longtest.Wanted() {
		all = all[:10]
	}
	for _, errno := range all {
		c := newTwoFiles(t)
		c.mend()
		hiccup := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
			if strings.HasSuffix(name, "b.json") && (op == faultstore.Read || op == faultstore.ReadAt) {
				return errno
			}
			return nil
		})
		if err := c.do(hiccup, folder.PassIndex); !errors.Is(err, errno) {
			t.Errorf("%d, %v: %v", errno, errno, err)
		}
		if got := files(t, c.out); got[".capgraph/index.json"] != "" {
			t.Errorf("%d, %v: an index is there", errno, errno)
		}
	}
}

// TestLastingFaults fails everything of a kind from some moment on, as a full
// disk does: the run stops soon and says so.
func TestLastingFaults(t *testing.T) {
	source := corpus(t, 30)
	for _, op := range []faultstore.Op{faultstore.Write, faultstore.Create, faultstore.Publish, faultstore.Open, faultstore.ReadAt} {
		dir := t.TempDir()
		err := run(t, faultstore.New(store.Local{}, faultstore.From(op, 5, syscall.ENOSPC)), source, dir, 2)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", op, err)
		}
		entriesHold(t, string(op), dir, files(t, dir))
	}
}
