package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/internal/usage"
	"capgraph/sources"
	"capgraph/store"
)

// A file whose name could not stand in the column source is refused before any
// work; the folder that all files share does not stand there.
func TestNameNotUTF8(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "caf\xe9")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	open := func() error {
		_, err := OpenCorpus(store.Local{}, sources.Options{Format: "cc12m", Paths: []string{filepath.Join(dir, "*.tsv")}})
		return err
	}
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("u\ta red bus\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.tsv")
	if err := open(); err != nil {
		t.Error(err)
	}
	put("b\xe9.tsv")
	var usage *usage.Error
	if err := open(); !errors.As(err, &usage) || !strings.Contains(usage.Text, `b\xe9.tsv" is not UTF-8: rename it`) {
		t.Errorf("error %v", err)
	}
}
