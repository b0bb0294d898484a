package stages_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/faultstore"
)

// twoFiles are a corpus of a file that is whole and one that is cut off, which
// runs go on without.
type twoFiles struct {
	t       testing.TB
	in, out string
}

func newTwoFiles(t testing.TB) twoFiles {
	c := twoFiles{t, t.TempDir(), t.TempDir()}
	c.write("a.json", `[{"image": "1.jpg", "caption": ["a dog on a bed"]}]`)
	c.write("b.json", `[{"image": "2.jpg", "caption": ["a cat on a bed"]}`)
	return c
}

func (c twoFiles) mend() { c.write("b.json", `[{"image": "2.jpg", "caption": ["a cat on a bed"]}]`) }

func (c twoFiles) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.in, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c twoFiles) run(s store.Store) *pipeline.Run {
	return newRun(c.t, s, memory.NewGoAllocator(), filepath.Join(c.in, "*.json"), c.out, 1,
		"source.format=karpathy", "source.on_bad_file=skip")
}

func (c twoFiles) do(s store.Store, only folder.Pass) error {
	return c.run(s).Do(context.Background(), only)
}

// secondShard is the shard of the file that was cut off.
const secondShard = "train-00001-of-00002"

// A pass that one version of the code began is not finished by another, also
// where all that is left is a file that was mended since.
func TestMendedFileIsOfOneVersion(t *testing.T) {
	c := newTwoFiles(t)
	older := func() error {
		r := c.run(store.Local{})
		for _, p := range r.Passes {
			p.Version += " of before"
		}
		return r.Do(context.Background(), "parse")
	}
	if err := older(); err != nil {
		t.Fatal(err)
	}
	if err := c.do(store.Local{}, "parse"); err != nil {
		t.Errorf("nothing is left to make, and a newer version is refused: %v", err)
	}
	c.mend()
	var usage *usage.Error
	if err := c.do(store.Local{}, "parse"); !errors.As(err, &usage) {
		t.Errorf("the newer version: %v", err)
	}
	r := c.run(store.Local{})
	if _, err := r.Folder.ReadEntry("parse", secondShard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the newer version made the shard (%v)", err)
	}
	if err := older(); err != nil {
		t.Errorf("the older version: %v", err)
	}
	if _, err := r.Folder.ReadEntry("parse", secondShard); err != nil {
		t.Error(err)
	}
}

// A run that dies between the entry of a mended shard and its failure leaves
// both: the shard is done, and texts that were never made of it are missing.
func TestFailureBesideAnEntry(t *testing.T) {
	c := newTwoFiles(t)
	if err := c.do(store.Local{}, "parse"); err != nil {
		t.Fatal(err)
	}
	c.mend()
	dies := faultstore.New(store.Local{}, func(_ int64, op faultstore.Op, name string) error {
		if op == faultstore.Remove && strings.Contains(name, "failed/parse/"+secondShard) {
			return syscall.EIO
		}
		return nil
	})
	if err := c.do(dies, "parse"); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.out, ".capgraph/failed/parse", secondShard+".json")); err != nil {
		t.Fatal(err)
	}
	for _, pass := range []folder.Pass{"parse", "tally", "count", "balance"} {
		if err := c.do(store.Local{}, pass); err != nil {
			t.Fatal(err)
		}
	}
	state := read(t, c.run(store.Local{}).Folder)
	if failed, err := state.Failed("parse"), state.CheckComplete("parse"); len(failed) != 0 || err != nil {
		t.Errorf("parse: %v failed, %v", failed, err)
	}
	var missing *folder.IncompleteError
	if failed, err := state.Failed("texts"), state.CheckComplete("texts"); len(failed) != 0 || !errors.As(err, &missing) || len(missing.Missing) != 2 {
		t.Errorf("texts: %v failed, %v", failed, err)
	}
	if err := c.do(store.Local{}, ""); err != nil {
		t.Fatal(err)
	}
	state = read(t, state.Folder)
	if failed, err := state.Failed("texts"), state.CheckComplete("texts"); len(failed) != 0 || err != nil {
		t.Errorf("texts, made: %v failed, %v", failed, err)
	}
}

// read is the state of a folder.
func read(t *testing.T, f folder.Folder) *folder.State {
	t.Helper()
	state, err := f.Read()
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A shard that fails while it is parsed has no graphs: the texts go on without it,
// and say why it failed.
func TestFailedInParse(t *testing.T) {
	c := newTwoFiles(t)
	c.mend()
	r := c.run(store.Local{})
	r.Passes[0].Stages = append(r.Passes[0].Stages, pipeline.Spec{
		Name: "panics", New: func(context.Context, pipeline.Env) (pipeline.Stage, error) { return panics{}, nil },
	})
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	state := read(t, r.Folder)
	for _, pass := range []folder.Pass{"parse", "texts"} {
		failures, err := state.Failures(pass)
		if err != nil || len(failures) != 1 || failures[0].Shard != secondShard || !strings.Contains(failures[0].Error, "a cat") {
			t.Errorf("%s: %v, %v", pass, failures, err)
		}
	}
}

// panics is a stage that cannot have cats.
type panics struct{}

func (panics) Process(_ context.Context, in arrow.Record, _ *pipeline.Report) (arrow.Record, error) {
	captions, err := schemas.Column[*array.String](in, schemas.ColCaption)
	if err == nil && strings.Contains(captions.Value(0), "cat") {
		panic("a cat")
	}
	in.Retain()
	return in, err
}

// Whatever fails while a mended file is taken up, the folder keeps an index.
func TestMendKeepsIndex(t *testing.T) {
	for _, op := range []faultstore.Op{faultstore.Create, faultstore.Write, faultstore.Publish, faultstore.Published} {
		c := newTwoFiles(t)
		if err := c.do(store.Local{}, folder.PassIndex); err != nil {
			t.Fatal(err)
		}
		c.mend()
		full := faultstore.New(store.Local{}, func(_ int64, o faultstore.Op, name string) error {
			if o == op && filepath.Base(name) == "index.json" {
				return syscall.ENOSPC
			}
			return nil
		})
		if err := c.do(full, "parse"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", op, err)
		}
		if x, err := c.run(store.Local{}).Folder.ReadIndex(); err != nil || len(x.Shards) != 2 {
			t.Errorf("%s: index %v, %v", op, x, err)
		}
		if err := c.do(store.Local{}, "parse"); err != nil {
			t.Errorf("%s, and again: %v", op, err)
		}
	}
}
