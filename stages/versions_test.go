package stages_test

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/clean"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/negatives/balance"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/verify"
)

var updateVersions = flag.Bool("update", false, "write the golden hashes anew, after a version has risen")

// What the sample corpus becomes belongs to the versions: who changes it raises the
// version of the code that does.
func TestVersionsAreRaised(t *testing.T) {
	texts, said := textsHash(t, "negatives.balance.enabled=false")
	_, kept := textsHash(t, "negatives.balance.enabled=true")
	got := fmt.Sprintf("%s %s\n%s %s\n%s %s\n", clean.Version, texts, negatives.Version, said, balance.Version, kept)
	const golden = "testdata/versions.golden"
	if *updateVersions {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(before) || line == before[i] {
			continue
		}
		version, _, _ := strings.Cut(line, " ")
		if old, _, _ := strings.Cut(before[i], " "); old == version {
			t.Errorf("what %s makes has changed: raise the version, or, where another that is named here made the change, only that; then go test ./stages -run TestVersionsAreRaised -update", version)
		} else {
			t.Errorf("%s is not in %s: go test ./stages -run TestVersionsAreRaised -update", version, golden)
		}
	}
}

// textsHash are the hashes of the cleaned texts and of all rows of texts/.
func textsHash(t *testing.T, set string) (cleaned, all string) {
	t.Helper()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), "../testdata/cc12m.tsv", t.TempDir(), 2, set)
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	x, err := r.Folder.ReadIndex()
	if err != nil {
		t.Fatal(err)
	}
	c, a := sha256.New(), sha256.New()
	for _, s := range x.Shards {
		for row, err := range inspect.ReadTexts(folder.Folder{Store: store.Local{}, Dir: r.Folder.Dir}, s.Name, 0) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "%s\t%s\n", row.Key, row.Text)
			fmt.Fprintf(a, "%s\t%+v\t%+v\n", row.Key, row.Pool.Positives, row.Pool.Negatives)
		}
	}
	return fmt.Sprintf("%x", c.Sum(nil)[:8]), fmt.Sprintf("%x", a.Sum(nil)[:8])
}

// A folder that two builds made is named.
func TestTwoBuildsAreNoted(t *testing.T) {
	source, dir := corpus(t, 40), t.TempDir()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
	for _, p := range r.Passes {
		p.Version = strings.Replace(p.Version, negatives.Version, "negatives/0", 1)
	}
	if err := r.Do(context.Background(), folder.PassParse); err != nil {
		t.Fatal(err)
	}
	for _, pass := range []folder.Pass{folder.PassTally, folder.PassCount, folder.PassBalance} {
		if err := r.Do(context.Background(), pass); err != nil {
			t.Fatal(err)
		}
	}
	if err := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1).Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	if notes := notesOf(t, dir); len(notes) != 1 || !strings.Contains(notes[0], "it was made by "+negatives.Version+", and pass balance by negatives/0") {
		t.Errorf("noted: %q", notes)
	}
}

// A folder with samples is whole, and verify tells where one is damaged.
func TestSamplesAreVerified(t *testing.T) {
	dir := t.TempDir()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), corpus(t, 40), dir, 1)
	r.Passes[1].Sample = stages.Sampling(5)
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	notesOf(t, dir)
	samples, err := filepath.Glob(dir + "/.capgraph/sample/tally/*.parquet")
	if err != nil || len(samples) == 0 {
		t.Fatal(samples, err)
	}
	var plan strings.Builder
	if err := r.Describe(&plan); err != nil || !strings.Contains(plan.String(), "sample/tally/SHARD.parquet") {
		t.Errorf("the plan does not name samples: %v\n%s", err, plan.String())
	}
	if err := os.Truncate(samples[0], 100); err != nil {
		t.Fatal(err)
	}
	told := ""
	if _, err := verify.Run(context.Background(), r.Folder, verify.Options{}, func(p verify.Problem) { told += p.String() + "\n" }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hashes: " + samples[0] + ": it has 100 bytes", "schema: " + samples[0]} {
		if !strings.Contains(told, want) {
			t.Errorf("there is no %q in %s", want, told)
		}
	}
	r.Redo = folder.PassBalance
	if err := r.Do(context.Background(), ""); err == nil || !strings.Contains(err.Error(), samples[0]) || !strings.Contains(err.Error(), "and run again") {
		t.Errorf("balance of a damaged sample: %v", err)
	}
}

// notesOf are what verify notes of a folder in which nothing is wrong.
func notesOf(t *testing.T, dir string) (notes []string) {
	t.Helper()
	_, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: dir}, verify.Options{Workers: 2}, func(p verify.Problem) {
		if !p.Note {
			t.Error(p)
		}
		notes = append(notes, p.String())
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}
