package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/store"
)

// blocked puts a pipe that nobody writes to in the place of a file, until unblock.
func blocked(t *testing.T, file string) (unblock func()) {
	t.Helper()
	if err := errors.Join(os.Rename(file, file+".away"), syscall.Mkfifo(file, 0o666)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Rename(file+".away", file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

// stuck starts a command that blocks, and returns once the temporary file of its
// output is there.
func stuck(t *testing.T, dir string, args []string) *exec.Cmd {
	t.Helper()
	c := exec.Command("capgraph", args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	awaitTemporary(t, c, dir)
	return c
}

// awaitTemporary returns once a command has a temporary file in a folder.
func awaitTemporary(t *testing.T, c *exec.Cmd, dir string) {
	t.Helper()
	mine := fmt.Sprintf("-%d-", c.Process.Pid)
	for end := time.Now().Add(20 * time.Second); !strings.Contains(fmt.Sprint(temporaries(t, dir)), mine); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v makes no temporary file", c.Args)
		}
	}
}

// temporaries are the temporary files of a folder.
func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, store.TempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// What a killed command leaves of its output, the same command removes; what one
// that lives writes, and what is of another file, stays.
func TestKilledOutputIsSwept(t *testing.T) {
	dir := workplace(t)
	must(t, program(dir, "run"))
	run := filepath.Join(dir, "run")
	texts, err := filepath.Glob(filepath.Join(run, "texts", "*.parquet"))
	if err != nil || len(texts) == 0 {
		t.Fatal(texts, err)
	}
	for output, command := range map[string]string{
		"x.jsonl": "export RUN --to jsonl -o OUT", "epoch.parquet": "draw RUN --epoch 0 -o OUT", "report.html": "report RUN -o OUT",
	} {
		t.Run(output, func(t *testing.T) {
			dir := t.TempDir()
			foreign := filepath.Join(dir, store.TempPrefix+"mine")
			if err := os.WriteFile(foreign, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields(strings.NewReplacer("RUN", run, "OUT", filepath.Join(dir, output)).Replace(command))
			kill := func(c *exec.Cmd) { c.Process.Kill(); c.Wait() }
			unblock := blocked(t, texts[0])
			defer unblock()
			kill(stuck(t, dir, args))
			living := stuck(t, dir, args)
			another := stuck(t, dir, args)
			if left := temporaries(t, dir); len(left) != 3 {
				t.Errorf("want those of two processes and another file, got %v", left)
			}
			kill(living)
			kill(another)
			unblock()
			must(t, exec.Command("capgraph", args...))
			if left := temporaries(t, dir); !slices.Equal(left, []string{foreign}) {
				t.Errorf("at the end: %v", left)
			}
		})
	}
}

// So it is in the folder of an export of many files.
func TestKilledFolderIsSwept(t *testing.T) {
	dir := workplace(t)
	must(t, program(dir, "run"))
	left, old := filepath.Join(dir, "tars", store.TempPrefix+"elsewhere-1-ABCDEFGH-00000.tar"), time.Now().Add(-time.Hour)
	if err := errors.Join(os.Mkdir(filepath.Dir(left), 0o777), os.WriteFile(left, nil, 0o666), os.Chtimes(left, old, old)); err != nil {
		t.Fatal(err)
	}
	must(t, exec.Command("capgraph", "export", filepath.Join(dir, "run"), "--to", "webdataset", "-o", filepath.Dir(left)))
	if left := temporaries(t, filepath.Dir(left)); len(left) > 0 {
		t.Errorf("%v stay", left)
	}
}
