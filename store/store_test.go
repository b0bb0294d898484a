package store_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"capgraph/store"
	"capgraph/testing/faultstore"
)

var local store.Local

// TestMain lets the test binary stand in for a process that dies with a
// temporary file open.
func TestMain(m *testing.M) {
	if name := os.Getenv("CAPGRAPH_STORE_HOLD"); name != "" {
		t, err := local.Create(name)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(t, "half")
		fmt.Println("created")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func temps(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, store.TempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "sub", "a.parquet")
	if err := store.WriteFile(local, name, []byte("one")); err != nil {
		t.Fatal(err)
	}
	err := store.WriteFile(local, name, []byte("two"))
	if !errors.Is(err, store.ErrExists) || !strings.Contains(err.Error(), name) {
		t.Errorf("second publish: %v", err)
	}
	got, err := store.ReadFile(local, name, 100)
	if err != nil || string(got) != "one" {
		t.Errorf("read %q, %v", got, err)
	}
	if _, err := store.ReadFile(local, name, 2); err == nil {
		t.Error("a file over the limit was read")
	}
	if left := temps(t, filepath.Dir(name)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestReplaceWithFaults fails each operation of replacing a file in turn: the
// name holds the old file or the new one, and no temporary file stays.
func TestReplaceWithFaults(t *testing.T) {
	replace := func(inject faultstore.Injector) (got string, err error) {
		name := filepath.Join(t.TempDir(), "x")
		for _, text := range []string{"older", "old"} {
			if err := store.ReplaceFile(local, name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		err = store.ReplaceFile(faultstore.New(local, inject), name, []byte("new"))
		if left := temps(t, filepath.Dir(name)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		data, _ := os.ReadFile(name)
		return string(data), err
	}
	if got, err := replace(nil); got != "new" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for op, want := range map[faultstore.Op]string{
		faultstore.Create: "old", faultstore.Write: "old", faultstore.Publish: "old", faultstore.Published: "new",
	} {
		if got, err := replace(faultstore.From(op, 0, syscall.ENOSPC)); got != want || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %q, %v", op, got, err)
		}
	}
}

func TestOneOfManyPublishes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	var wg sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		wg.Go(func() { errs[i] = store.WriteFile(local, name, fmt.Append(nil, i)) })
	}
	wg.Wait()
	got, err := store.ReadFile(local, name, 100)
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for i, err := range errs {
		switch {
		case err == nil:
			won++
			if string(got) != fmt.Sprint(i) {
				t.Errorf("%d published, the file says %s", i, got)
			}
		case !errors.Is(err, store.ErrExists):
			t.Errorf("%d: %v", i, err)
		}
	}
	if won != 1 {
		t.Errorf("%d publishers won", won)
	}
	if left := temps(t, filepath.Dir(name)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	f, err := local.Create(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	if infos, err := local.List(dir); err != nil || len(infos) != 0 {
		t.Errorf("a temporary file is listed: %v, %v", infos, err)
	}
	if err := errors.Join(f.Discard(), f.Discard()); err != nil {
		t.Error(err)
	}
	if err := f.Publish(); err == nil {
		t.Error("published after Discard")
	}
	if left := temps(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSweepKeepsFilesOfRunningProcesses(t *testing.T) {
	dir := t.TempDir()
	mine, err := local.Create(filepath.Join(dir, "mine"))
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Discard()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CAPGRAPH_STORE_HOLD="+filepath.Join(dir, "other"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if n, err := local.Sweep(dir); n != 0 || err != nil {
		t.Errorf("swept %d of two living processes' files, %v", n, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if n, err := local.Sweep(dir); n != 1 || err != nil {
		t.Errorf("swept %d of a dead process's files, %v", n, err)
	}
	if err := mine.Publish(); err != nil {
		t.Errorf("publish after a sweep: %v", err)
	}
	if n, err := local.Sweep(filepath.Join(dir, "none")); n != 0 || err != nil {
		t.Errorf("a folder that is not there: %d, %v", n, err)
	}
}

func TestSweepForAFile(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 150)
	for base, want := range map[string]int{"a-b.jsonl": 1, "b.jsonl": 0, long: 1} {
		path := filepath.Join(dir, store.TempPrefix+"elsewhere.example-12-ABCDEFGH-"+base[:min(len(base), 100)])
		if want == 0 { // of another file, and of another program
			path = filepath.Join(dir, store.TempPrefix+base)
		}
		old := time.Now().Add(-time.Hour)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if n, err := local.SweepFor(filepath.Join(dir, base)); n != want || err != nil {
				t.Errorf("%s: swept %d, %v, want %d", base, n, err, want)
			}
			want = 0
		}
	}
	if n, err := local.SweepFor(filepath.Join(dir, "none", "b.jsonl")); n != 0 || err != nil {
		t.Errorf("a folder that is not there: %d, %v", n, err)
	}
	living, err := local.Create(filepath.Join(dir, "c"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := local.SweepFor(filepath.Join(dir, "c")); n != 0 || err != nil {
		t.Errorf("swept %d of a living process's files, %v", n, err)
	}
	if err := living.Publish(); err != nil {
		t.Error(err)
	}
}

func TestSweepWaitsForOtherMachines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, store.TempPrefix+"elsewhere.example-12-ABCDEFGH-x")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := local.Sweep(dir); n != 0 || err != nil {
		t.Errorf("swept %d fresh files of another machine, %v", n, err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if n, err := local.Sweep(dir); n != 1 || err != nil {
		t.Errorf("swept %d old files of another machine, %v", n, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	open := func(name string) error { _, err := local.Open(name); return err }
	for _, c := range []struct {
		name string
		err  error
		is   error
		want string
	}{
		{"missing", open(filepath.Join(dir, "no")), fs.ErrNotExist, "check the path"},
		{"folder", open(dir), syscall.EISDIR, "name a file"},
		{"loop", open(loop), syscall.ELOOP, "remove the loop"},
		{"not a folder", open(filepath.Join(file, "x")), syscall.ENOTDIR, "check the path"},
		{"create below a file", func() error { _, err := local.Create(filepath.Join(file, "x")); return err }(), syscall.ENOTDIR, "check the path"},
	} {
		if !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.want) || !strings.Contains(c.err.Error(), dir) {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
}

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/2.tsv", "b/10.tsv", "a/1.tsv", "a/1.txt", "a/.hidden.tsv", "é.tsv"} {
		if err := store.WriteFile(local, filepath.Join(dir, name), nil); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"*/*.tsv":   "a/1.tsv b/10.tsv b/2.tsv",
		"b/?.tsv":   "b/2.tsv",
		"[ab]":      "a b",
		"*.tsv":     "é.tsv",
		"a/.*":      "a/.hidden.tsv",
		"a/1.tsv":   "a/1.tsv",
		"c/*":       "",
		"a/1.tsv/*": "",
		"nothing":   "",
	} {
		infos, err := store.Glob(local, filepath.Join(dir, pattern))
		var got []string
		for _, i := range infos {
			got = append(got, strings.TrimPrefix(i.Name, dir+"/"))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v; want %s", pattern, got, err, want)
		}
	}
	if _, err := store.Glob(local, "[a"); err == nil {
		t.Error("a bad pattern is no error")
	}
}

// TestEveryFault fails each operation of writing a file in turn: the name
// then holds the whole file or nothing, and no temporary file stays.
func TestEveryFault(t *testing.T) {
	write := func(s store.Store, name string) error {
		f, err := s.Create(name)
		if err != nil {
			return err
		}
		defer f.Discard()
		for range 3 {
			if _, err := f.Write([]byte("row\n")); err != nil {
				return err
			}
		}
		return f.Publish()
	}
	counting := faultstore.New(local, nil)
	if err := write(counting, filepath.Join(t.TempDir(), "x")); err != nil {
		t.Fatal(err)
	}
	for n := range counting.Count() {
		dir := t.TempDir()
		name := filepath.Join(dir, "x")
		err := write(faultstore.New(local, faultstore.At(n, syscall.ENOSPC)), name)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("fault %d: %v", n, err)
		}
		if got, err := os.ReadFile(name); err == nil && string(got) != "row\nrow\nrow\n" {
			t.Errorf("fault %d: half a file: %q", n, got)
		}
		if left := temps(t, dir); len(left) > 0 {
			t.Errorf("fault %d: left behind %v", n, left)
		}
		if err := write(local, name); err != nil && !errors.Is(err, store.ErrExists) {
			t.Errorf("fault %d: the rerun: %v", n, err)
		}
	}
}
