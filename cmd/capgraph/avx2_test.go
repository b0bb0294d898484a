package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Without AVX2, Parquet files may have other bytes, and the entries that name their hashes; their
// rows are the same, and so is every other file.
func TestSameRowsWithoutAVX2(t *testing.T) {
	dir := workplace(t)
	must(t, program(dir, "with"))
	without := program(dir, "without")
	without.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off")
	must(t, without)
	a, _ := tree(t, filepath.Join(dir, "with"))
	b, _ := tree(t, filepath.Join(dir, "without"))
	rows := func(out, name string) string {
		c := exec.Command("capgraph", "cat", filepath.Join(dir, out, name))
		text, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", c.Args, err)
		}
		return string(text)
	}
	if len(a) != len(b) {
		t.Errorf("%d files with AVX2, %d without", len(a), len(b))
	}
	for name, sum := range a {
		switch {
		case b[name] == sum, strings.HasPrefix(name, ".capgraph/entries/") && b[name] != "":
		case !strings.HasSuffix(name, ".parquet"):
			t.Errorf("%s differs", name)
		default:
			t.Logf("%s has other bytes", name)
			if rows("with", name) != rows("without", name) {
				t.Errorf("%s has other rows", name)
			}
		}
	}
}
