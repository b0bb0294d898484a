package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"capgraph/counts"
	"capgraph/internal/usage"
	"capgraph/schemas"
	"capgraph/store"
)

func collect(t *testing.T, rows iter.Seq2[schemas.Count, error]) []schemas.Count {
	t.Helper()
	var all []schemas.Count
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// Counts that do not fit in memory are the same as those that do, and leave
// nothing behind.
func TestCountsSpill(t *testing.T) {
	var want []schemas.Count
	for _, small := range []int{1 << 30, 1000, 100} {
		f := Folder{Store: store.Local{}, Dir: t.TempDir()}
		c := newCounting(f)
		c.maxTable, c.maxTotal = small, 2*small
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				for batch := range 20 {
					table := c.take()
					for i := range 10 {
						table.Add("object", fmt.Sprint((g*7+batch*3+i)%83), int64(i+1))
						table.Add("relation", fmt.Sprint(i%5), 1)
					}
					if err := c.give(table); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		rows, err := c.rows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := collect(t, rows)
		if want == nil {
			want = got
		} else if len(c.runs) == 0 {
			t.Errorf("with %d bytes nothing was spilled", small)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("with %d bytes: %v, want %v", small, got, want)
		}
		c.discard()
		left, err := filepath.Glob(filepath.Join(f.Dir, ".capgraph", "tmp", "*"))
		hidden, err2 := filepath.Glob(filepath.Join(f.Dir, ".capgraph", "tmp", ".*"))
		if len(left)+len(hidden) > 0 || err != nil || err2 != nil {
			t.Errorf("left behind: %v %v", left, hidden)
		}
	}
}

// More runs than are merged at a time go in rounds; two processes that merge at
// once do not meet; stopped, a merge ends with an error.
func TestMergeInRounds(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	var runs []countRun
	for i := range 3*fanIn + 1 {
		name := Counts("parse", fmt.Sprint(i))
		file, err := f.create(name)
		if err != nil {
			t.Fatal(err)
		}
		table := counts.NewTable()
		table.Add("object", "dog", 1)
		for j := range 20 {
			table.Add("object", fmt.Sprint(i, "-", j), int64(i))
		}
		if err := counts.Write(file, counts.Rows(table.Sorted()), schemas.WriterOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := file.publish(); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, countRun{name: name})
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			rows := 0
			for row, err := range f.merge(ctx, runs) {
				if err != nil {
					t.Error(err)
				}
				if rows++; row.Key == "dog" && row.N != int64(len(runs)) {
					t.Errorf("%+v, want %d", row, len(runs))
				}
			}
			if want := 3*fanIn*20 + 1; rows != want {
				t.Errorf("%d rows, want %d", rows, want)
			}
		})
	}
	wait.Wait()
	left, err := os.ReadDir(f.Path(tempDir))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	cancel()
	var failed error
	for _, err := range f.merge(ctx, runs) {
		failed = err
	}
	if !errors.Is(failed, context.Canceled) {
		t.Errorf("stopped: %v", failed)
	}
}

// A fault of the machine is none of the shard.
func TestFaultsOfTheMachineFailNoShard(t *testing.T) {
	ofFile := []syscall.Errno{syscall.ENOENT, syscall.EPERM, syscall.EACCES, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EXDEV}
	for errno := range syscall.Errno(134) {
		var bad *badShard
		if of, want := !errors.As(ofShard(fmt.Errorf("read a.tsv: %w", errno)), &bad), !slices.Contains(ofFile, errno); of != want {
			t.Errorf("%d, %v: of the machine: %v", errno, errno, of)
		}
	}
	for err, of := range map[error]bool{
		syscall.EMFILE: true, syscall.EIO: true, syscall.ENOSPC: true,
		syscall.EISDIR: false, syscall.ELOOP: false, os.ErrNotExist: false, errors.New("cut off"): false,
	} {
		var bad *badShard
		if got := !errors.As(ofShard(fmt.Errorf("open a.tsv: %w", err)), &bad); got != of {
			t.Errorf("%v: of the machine: %v", err, got)
		}
	}
}

// Processes that begin a folder at once agree, or the later is told what
// differs.
func TestPinnedAtOnce(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	plan := func(seed int) *PassPlan {
		p, err := NewPlan("texts", "", "", map[string]int{"seed": seed})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	var wait sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wait.Go(func() { _, errs[i] = f.pin(plan(i%2), false) })
	}
	wait.Wait()
	refused := 0
	for _, err := range errs {
		var usage *usage.Error
		if err != nil && !errors.As(err, &usage) {
			t.Error(err)
		}
		if err != nil {
			refused++
		}
	}
	if refused != len(errs)/2 {
		t.Errorf("%d of %d were refused, want those of one seed", refused, len(errs))
	}
}

// A newer capgraph goes on from what an older one finished, and from nothing
// that it only began.
func TestPinOfAnotherVersion(t *testing.T) {
	f := Folder{Store: store.Local{}, Dir: t.TempDir()}
	old, err := NewPlan("parse", "rules/1", "", struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.pin(old, false); err != nil {
		t.Fatal(err)
	}
	newer := *old
	newer.Version = "rules/2"
	if p, err := f.pin(&newer, true); err != nil || p.Version != "rules/1" {
		t.Errorf("finished: %v, %v", p, err)
	}
	if _, err := f.pin(&newer, false); err == nil {
		t.Error("begun: not refused")
	}
	future := PassPlan{Pass: "texts", Format: "99", Settings: []byte("{}")}
	if err := f.publishJSON(planName("texts"), future); err != nil {
		t.Fatal(err)
	}
	newer.Pass = "texts"
	if _, err := f.pin(&newer, true); err == nil {
		t.Error("a format of the future: not refused")
	}
}
