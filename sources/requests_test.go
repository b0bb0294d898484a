package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"capgraph/store"
)

// counted counts what is asked of this machine's file system.
type counted struct {
	store.Local
	stats, lists, reals int
}

func (a *counted) Stat(name string) (store.Info, error) {
	a.stats++
	return a.Local.Stat(name)
}

func (a *counted) List(dir string) ([]store.Info, error) {
	a.lists++
	return a.Local.List(dir)
}

func (a *counted) Real(name string) string {
	a.reals++
	return a.Local.Real(name)
}

// However many files a pattern or a folder has, it is listed once, and nothing is asked for each.
func TestFoldersAreListedOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		for _, name := range []string{"%d.tsv", "%d.tar", "%d.parquet"} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf(name, i)), []byte("x"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink("0.tsv", filepath.Join(dir, "again.tsv")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ format, path string }{{"cc12m", dir + "/*.tsv"}, {"img2dataset", dir}} {
		s := &counted{}
		files, err := Expand(s, Options{Format: c.format, Paths: []string{c.path}}, filepath.Join(dir, "out"))
		if err != nil || len(files) != 300 { // the link leads to one of them
			t.Errorf("%s: %d files, %v", c.format, len(files), err)
		}
		if s.lists != 1 || s.stats > 2 || s.reals > 5 {
			t.Errorf("%s: %d listings, %d files and %d real names were asked for", c.format, s.lists, s.stats, s.reals)
		}
	}
}

// TestFilesAreAskedForOnce looks into files that no format fits: all formats together ask for each once.
func TestFilesAreAskedForOnce(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for _, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl"} {
		names = append(names, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\x1f\x8b\x08damaged"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, paths := range [][]string{names, {dir}, {dir + "/*.jsonl"}} {
		s := &counted{}
		if _, err := Recognise(t.Context(), s, paths...); err == nil {
			t.Errorf("%v is recognised", paths)
		}
		if s.stats > len(names)+2 || s.lists > 2 {
			t.Errorf("%v: %d files and %d listings were asked for", paths, s.stats, s.lists)
		}
	}
}
