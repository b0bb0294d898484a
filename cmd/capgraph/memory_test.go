//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/testing/bombs"
)

// mostMemory is what a process with one worker may hold at one time, in bytes.
const mostMemory = 600 << 20

// peakOf runs a command and returns the most memory that it held at one time, what it
// printed and its exit code. The kernel's figure for a finished child would include
// the memory of this process, from which it was forked.
func peakOf(t testing.TB, c *exec.Cmd) (peak int64, said string, code int) {
	t.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		c.Wait()
		close(ended)
	}()
	high := regexp.MustCompile(`VmHWM:\s*(\d+) kB`)
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if m := high.FindSubmatch(status); m != nil {
			kB, _ := strconv.ParseInt(string(m[1]), 10, 64)
			peak = max(peak, kB<<10)
		}
		select {
		case <-ended:
			return peak, out.String(), c.ProcessState.ExitCode()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// checkPeak runs capgraph in a folder within mostMemory.
func checkPeak(t testing.TB, dir string, args ...string) (said string, code int) {
	t.Helper()
	c := exec.Command("capgraph", args...)
	c.Dir = dir
	peak, said, code := peakOf(t, c)
	t.Logf("%s: %d MB", strings.Join(args, " "), peak>>20)
	if peak > mostMemory {
		t.Errorf("%s: held %d MB", strings.Join(args, " "), peak>>20)
	}
	return said, code
}

// largeRows are small files whose rows are large.
var largeRows = []struct {
	name, format string
	rows         int64
	reason       string
	make         func() ([]byte, error)
}{
	{"900kB.parquet", "parquet", 250, "too_long", func() ([]byte, error) {
		return bombs.Parquet(250, bombs.Column{Name: "caption", Size: 900_000})
	}},
	{"100kB.parquet", "parquet", 4000, "repetition", func() ([]byte, error) {
		return bombs.Parquet(4000, bombs.Column{Name: "caption", Size: 100_000})
	}},
	{"10MB.parquet", "parquet", 4000, "row_too_large", func() ([]byte, error) {
		return bombs.Parquet(4000, bombs.Column{Name: "caption", Size: 10_000_000})
	}},
	{"1MB.tsv.gz", "cc12m", 200, "too_long", func() ([]byte, error) { return bombs.Lines(1_000_000, 200) }},
	{"100kB.tsv.gz", "cc12m", 3000, "repetition", func() ([]byte, error) { return bombs.Lines(100_000, 3000) }},
}

// Memory does not depend on how large the rows of a source are, and each row is
// accounted for: a reject keeps the beginning of its caption.
func TestMemoryOfLargeRows(t *testing.T) {
	for _, c := range largeRows {
		dir := t.TempDir()
		data, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, c.name), data)
		said, code := checkPeak(t, dir, "run", "--workers", "1", "--only", "parse", "--progress", "none",
			"--set", "source.format="+c.format, "--set", "source.paths="+c.name, "--set", "output.dir=out")
		if code != 1 || !strings.Contains(said, "all rows were rejected") {
			t.Errorf("%s: exit code %d: %s", c.name, code, said)
		}
		f := folder.Folder{Store: store.Local{}, Dir: filepath.Join(dir, "out")}
		index, err := f.ReadIndex()
		if err != nil {
			t.Fatal(err)
		}
		entry, err := f.ReadEntry(folder.PassParse, index.Shards[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.RowsIn != c.rows || entry.RowsOut != 0 || entry.Rejects[c.reason] != c.rows {
			t.Errorf("%s: %+v", c.name, entry)
		}
		kept, _ := checkPeak(t, dir, "cat", "--limit", "1", "--columns", schemas.ColCaption, "--columns", schemas.ColDetail,
			filepath.Join("out", folder.RejectsFile(folder.PassParse, index.Shards[0].Name)))
		if c.reason == "repetition" && (!strings.Contains(kept, "a red bus beside a small dog") || !strings.Contains(kept, "8192 of") || len(kept) > 9000) {
			t.Errorf("%s: a reject is %.200s", c.name, kept)
		}
	}
}

// What looks into a source reads no more of it than it needs.
func TestMemoryOfInitAndCat(t *testing.T) {
	for _, c := range largeRows {
		dir := t.TempDir()
		data, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, c.name), data)
		said, code := checkPeak(t, dir, "init", c.name)
		if want := 0; c.reason == "row_too_large" && code != 2 || c.reason != "row_too_large" && code != want {
			t.Errorf("%s: exit code %d: %.300s", c.name, code, said)
		}
		if len(said) > 4000 {
			t.Errorf("%s: init prints %d bytes", c.name, len(said))
		}
		if c.format != "parquet" {
			continue
		}
		if said, code := checkPeak(t, dir, "cat", "--limit", "2", c.name); code != 0 || strings.Count(said, "\n") != 2 {
			t.Errorf("%s: exit code %d: %.100s", c.name, code, said)
		}
	}
}
