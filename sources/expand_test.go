package sources

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"capgraph/store"
)

// A file is taken once, however often and under whatever paths it is named, and
// keeps the path that names it first.
func TestFilesAreTakenOnce(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("val", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"val/b.tsv", "val/c.tsv"} {
		if err := os.WriteFile(name, []byte("u\ta\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"linked": "val", "val/d.tsv": "c.tsv"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ paths, want []string }{
		{[]string{"val/c.tsv", "./val/c.tsv"}, []string{"val/c.tsv"}},
		{[]string{"./val/c.tsv", "val/c.tsv"}, []string{"./val/c.tsv"}},
		{[]string{"val//c.tsv", "linked/c.tsv", "val/../val/c.tsv", filepath.Join(dir, "val/c.tsv")}, []string{"val//c.tsv"}},
		{[]string{"val/c.tsv", "val/*.tsv"}, []string{"val/b.tsv", "val/c.tsv"}},
		{[]string{"./val/c.tsv", "val/*.tsv"}, []string{"./val/c.tsv", "val/b.tsv"}},
		{[]string{"*/*.tsv"}, []string{"linked/b.tsv", "linked/c.tsv"}},
		{[]string{"val/c.tsv", "val/b.tsv"}, []string{"val/b.tsv", "val/c.tsv"}},
	} {
		files, err := Expand(store.Local{}, Options{Format: "cc12m", Paths: c.paths})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			got = append(got, f.Path)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v gives %v, want %v", c.paths, got, c.want)
		}
	}
}
