package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInitWarnsOfManySmallFiles checks that init names the cost of 1,000 files of one row, and not of 999.
func TestInitWarnsOfManySmallFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 1000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.tsv", i)), []byte("http://x.org/1.jpg\ta dog on a mat\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const told = "the mean size of the files is 34 bytes, and each becomes a shard with 8 output files and about 30 KB of overhead: join them first"
	for glob, want := range map[string]bool{"*.tsv": true, "*[1-9].tsv": false} {
		var out, stderr bytes.Buffer
		recipe := filepath.Join(t.TempDir(), "pipeline.yaml")
		code := run(t.Context(), []string{"init", filepath.Join(dir, glob), "-o", recipe}, streams{in: strings.NewReader(""), out: &out, err: &stderr})
		if code != 0 || strings.Contains(out.String(), told) != want {
			t.Errorf("%s: exit %d, printed\n%s%s", glob, code, &out, &stderr)
		}
	}
}
