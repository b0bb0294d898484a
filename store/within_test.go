package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// Nothing outside the folder is created, removed or swept, whatever the name.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		dir, name string
		inside    bool
	}{
		{"out", "out/graphs/a.parquet", true},
		{"out/", "out/a", true},
		{".", "graphs/a", true},
		{"../out", "../out/a", true},
		{"../..", "../../a", true},
		{"out", "out/..a", true},
		{"out", "out/../a", false},
		{"out", "a", false},
		{"out", "outer/a", false},
		{"out", "../out/a", false},
		{".", "../a", false},
		{"..", "../../a", false},
		{"out", "/etc/a", false},
		{"/", "/a", true},
		{"s3://b/out", "s3://b/out/a", true},
		{"s3://b", "s3://b/a", true},
		{"s3://b/out", "s3://b/a", false},
		{"s3://b/out", "s3://b/outer/a", false},
		{"s3://b/out", "s3://b/out/../a", false},
		{"s3://b/out", "s3://c/out/a", false},
		{"s3://b/out", "out/a", false},
		{"out", "s3://b/out/a", false},
	} {
		calls := &called{}
		s := store.Within(calls, c.dir)
		_, created := s.Create(c.name)
		removed := s.Remove(c.name)
		_, swept := s.SweepFor(c.name)
		_, sweptDir := s.Sweep(c.name)
		for _, err := range []error{created, removed, swept, sweptDir} {
			if (err == nil) != c.inside {
				t.Errorf("%s in %s: %v, inside: %v", c.name, c.dir, err, c.inside)
			}
		}
		if want := map[bool]int{true: 4}[c.inside]; calls.n != want {
			t.Errorf("%s in %s: %d operations were passed on, want %d", c.name, c.dir, calls.n, want)
		}
	}
}

// called counts operations.
type called struct {
	store.Local
	n int
}

func (c *called) Create(string) (store.Temp, error) { c.n++; return nil, nil }
func (c *called) Remove(string) error               { c.n++; return nil }
func (c *called) Sweep(string) (int, error)         { c.n++; return 0, nil }
func (c *called) SweepFor(string) (int, error)      { c.n++; return 0, nil }

// A link below the folder may lead to another part of it, and not out of it.
func TestWithinLinks(t *testing.T) {
	top := t.TempDir()
	dir, elsewhere := filepath.Join(top, "out"), filepath.Join(top, "elsewhere")
	for _, d := range []string{dir, filepath.Join(dir, "real"), elsewhere} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	precious := filepath.Join(elsewhere, "precious")
	if err := os.WriteFile(precious, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"inner": "real", "outer": "../elsewhere", "absolute": elsewhere, "precious": precious} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	s := store.Within(store.Local{}, dir)
	write := func(name string) error { return store.ReplaceFile(s, filepath.Join(dir, name), []byte("mine")) }
	for _, name := range []string{"inner/a", "real/b", "new/c", "precious"} {
		if err := write(name); err != nil {
			t.Error(err)
		}
	}
	for _, link := range []string{"outer", "absolute"} {
		_, swept := s.Sweep(filepath.Join(dir, link))
		for _, err := range []error{write(link + "/a"), write(link + "/new/a"), s.Remove(filepath.Join(dir, link, "precious")), swept} {
			if err == nil || !strings.Contains(err.Error(), "a symbolic link leads out of the folder "+dir) {
				t.Errorf("%s: %v", link, err)
			}
		}
	}
	if content, err := os.ReadFile(precious); err != nil || len(content) > 0 {
		t.Errorf("the file that a link leads to: %q, %v", content, err)
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
	if err := s.Remove(filepath.Join(dir, "outer")); err != nil { // the link itself is of the folder
		t.Error(err)
	}
}
