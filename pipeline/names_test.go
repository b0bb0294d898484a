package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/sources"
	"capgraph/store"
)

// A name is the way from the folder that the first files share, so that the same file has
// one name however many others there are.
func TestNames(t *testing.T) {
	for _, c := range []struct{ base, path, want string }{
		{"x/", "x/a.tsv", "a.tsv"},
		{"x/", "./x/y/a.tsv", "y/a.tsv"},
		{"x/", "y/a.tsv", "../y/a.tsv"},
		{"x/", "../y/a.tsv", "../../y/a.tsv"},
		{"x/", "/y/a.tsv", "/y/a.tsv"},
		{"", "a.tsv", "a.tsv"},
		{"", "/y/a.tsv", "/y/a.tsv"},
		{"/", "/y/a.tsv", "y/a.tsv"},
		{"/d/x/", "/d/y/a.tsv", "../y/a.tsv"},
		{"/d/x/", "/e/a.tsv", "../../e/a.tsv"},
		{"/d/x/", "a.tsv", "a.tsv"},
		{"../x/", "../y/a.tsv", "../y/a.tsv"},
		{"../x/", "a.tsv", "a.tsv"},
		{"s3://b/x/", "s3://b/x/ä b.tsv", "ä b.tsv"},
		{"s3://b/x/", "s3://b/y/a.tsv", "../y/a.tsv"},
		{"s3://b/x/", "s3://c/x/a.tsv", "s3://c/x/a.tsv"},
		{"s3://b/x/", "/x/a.tsv", "/x/a.tsv"},
	} {
		if got := relativeName(c.base, cleanName(c.path)); got != c.want {
			t.Errorf("from %q %q is %q, want %q", c.base, c.path, got, c.want)
		}
	}
}

// The files of an index are found under their names wherever they lie by now, and others
// come after them.
func TestAlong(t *testing.T) {
	index := &folder.Index{Format: folder.FormatVersion, Files: []folder.SourceFile{{Name: "b.tsv", Size: 1}, {Name: "c/a.tsv", Size: 2}}}
	for _, c := range []struct{ name, files, want string }{
		{"as they were", "x/b.tsv 1 x/c/a.tsv 2", "b.tsv c/a.tsv"},
		{"more, before and beside", "w/b.tsv 1 x/a.tsv 1 x/b.tsv 1 x/c/a.tsv 2", "b.tsv c/a.tsv ../w/b.tsv a.tsv"},
		{"all moved", "/y/z/b.tsv 1 /y/z/c/a.tsv 2", "b.tsv c/a.tsv"},
		{"twice, one of another size", "w/b.tsv 9 w/c/a.tsv 2 x/b.tsv 1 x/c/a.tsv 2", "b.tsv c/a.tsv ../w/b.tsv ../w/c/a.tsv"},
		{"one is gone", "x/b.tsv 1 x/a.tsv 2", ""},
		{"a name that ends so", "x/bb.tsv 1 x/c/a.tsv 2", ""},
	} {
		words := strings.Fields(c.files)
		var files []sources.File
		for i := 0; i < len(words); i += 2 {
			files = append(files, sources.File{Path: words[i], Size: int64(words[i+1][0] - '0')})
		}
		corpus, err := newCorpus(store.Local{}, sources.Options{}, files, commonFolder(files))
		if err != nil {
			t.Fatal(err)
		}
		got, found, err := corpus.matchIndex(index)
		if err != nil || found != (c.want != "") {
			t.Fatalf("%s: found %v, %v", c.name, found, err)
		}
		if !found {
			continue
		}
		if !slices.Equal(got.Names, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %s", c.name, got.Names, c.want)
		}
		for i, f := range got.Files {
			if f.Key != fileKey(got.Names[i]) {
				t.Errorf("%s: %s has the key %s", c.name, f.Path, f.Key)
			}
		}
	}
}

// Two paths that would be one name are refused.
func TestNamesMeet(t *testing.T) {
	_, err := newCorpus(store.Local{}, sources.Options{}, []sources.File{{Path: "../x/y/a.tsv"}, {Path: "y/a.tsv"}}, "../x/")
	if err == nil || !strings.Contains(err.Error(), "../x/y/a.tsv and y/a.tsv would both be named y/a.tsv") {
		t.Error(err)
	}
}

// Of two folders with files of the names and sizes of the index, that is its base which has
// their content.
func TestAlongTheSameContent(t *testing.T) {
	dir := t.TempDir()
	var files []sources.File
	for _, name := range []string{"w", "x", "y"} {
		file := filepath.Join(dir, name, "a.tsv")
		if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
		files = append(files, sources.File{Path: file, Size: 1})
	}
	ends, err := fingerprintFile(store.Local{}, files[1])
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := newCorpus(store.Local{}, sources.Options{}, files, commonFolder(files))
	if err != nil {
		t.Fatal(err)
	}
	got, found, err := corpus.matchIndex(&folder.Index{Format: folder.FormatVersion, Files: []folder.SourceFile{{Name: "a.tsv", Size: 1, Ends: ends}}})
	if err != nil || !found || got.Files[0].Path != files[1].Path || !slices.Equal(got.Names, []string{"a.tsv", "../w/a.tsv", "../y/a.tsv"}) {
		t.Errorf("%v %v, %v", got, found, err)
	}
}
