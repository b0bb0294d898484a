package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/testing/storetest"
)

// TestHubIsAskedForEachFileOnce counts what a run asks of the Hub for files of which none can be decoded: one
// question a file by the run, and one by all formats together that are then tried to name the right one.
func TestHubIsAskedForEachFileOnce(t *testing.T) {
	files := map[string][]byte{}
	var names []string
	for i := range 5 {
		name := fmt.Sprintf("data/%d.jsonl.gz", i)
		files["datasets/org/caps/main/"+name] = []byte("\x1f\x8b\x08 damaged")
		names = append(names, "hf://datasets/org/caps/"+name)
	}
	h := storetest.Hub(t, files)
	heads := 0
	h.Fault = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodHead && strings.Contains(r.URL.Path, "/resolve/") {
			heads++
		}
		return false
	}
	code, _, errs := command("", "run", "--progress", "none", "--set", "source.format=jsonl", "--set", "source.paths=["+strings.Join(names, ", ")+"]",
		"--set", "source.on_bad_file=skip", "--set", "output.dir="+filepath.Join(t.TempDir(), "out"))
	if code != 1 || heads > 2*len(names) {
		t.Errorf("exit %d after %d HEAD requests for %d files: %s", code, heads, len(names), errs)
	}
}
