package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
)

// sidecarOf makes the sidecar of img2dataset's n-th tar.
func sidecarOf(t *testing.T, n int) []byte {
	t.Helper()
	type row struct {
		Key     string `parquet:"key"`
		Caption string `parquet:"caption"`
		Status  string `parquet:"status"`
	}
	var b bytes.Buffer
	err := pq.Write(&b, []row{{fmt.Sprintf("%05d0000", n), "a brown dog on a red mat", "success"}, {fmt.Sprintf("%05d0001", n), "a man rides a horse", "success"}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A tar without its sidecar fails its shard. When the sidecar is brought, the
// run goes on with that shard, and the folder equals one of a run over all.
func TestSidecarIsBrought(t *testing.T) {
	dir := workplace(t)
	if err := os.Mkdir(filepath.Join(dir, "web"), 0o777); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		put(t, filepath.Join(dir, "web", fmt.Sprintf("%05d.tar", n)), nil)
		if n < 2 {
			put(t, filepath.Join(dir, "web", fmt.Sprintf("%05d.parquet", n)), sidecarOf(t, n))
		}
	}
	source := []string{"--set", "source.format=img2dataset", "--set", "source.paths=web"}
	said, err := program(dir, "out", source...).CombinedOutput()
	const want = "00002: web/00002.parquet: there is no such sidecar beside its tar (bring the sidecar back"
	if err == nil || !strings.Contains(string(said), want) {
		t.Fatalf("%v: %s", err, said)
	}
	entry := filepath.Join(dir, "out/.capgraph/entries/parse/00000.json")
	before, err := os.Stat(entry)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "web/00002.parquet"), sidecarOf(t, 2))
	must(t, program(dir, "out", source...))
	after, err := os.Stat(entry)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("a shard that was done was made again: %v", err)
	}
	must(t, program(dir, "fresh", source...))
	mended, _ := tree(t, filepath.Join(dir, "out"))
	fresh, _ := tree(t, filepath.Join(dir, "fresh"))
	if !maps.Equal(mended, fresh) {
		t.Errorf("got %v, want %v", mended, fresh)
	}
}
