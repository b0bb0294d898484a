package stages_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/folder/verify"
	"capgraph/store"
)

var writeFormat = flag.Bool("write-format", false, "write testdata/format-1 anew, of the format that this version writes")

// formats are the versions of the format, each with a small folder that a
// capgraph of that version wrote.
var formats = []string{"1"}

// TestFoldersOfBefore goes on from a folder that another version of capgraph
// finished: it is whole, its graphs stand, and counts and texts are made of them
// anew.
func TestFoldersOfBefore(t *testing.T) {
	const source = "../testdata/format-corpus.tsv"
	if *writeFormat {
		dir := "../testdata/format-" + formats[len(formats)-1]
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := run(t, store.Local{}, source, dir, 1); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range formats {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("../testdata/format-"+format)); err != nil {
			t.Fatal(err)
		}
		tell := func(p verify.Problem) { t.Errorf("format %s: %v", format, p) }
		out := folder.Folder{Store: store.Local{}, Dir: dir}
		if _, err := verify.Run(context.Background(), out, tell); err != nil {
			t.Fatal(err)
		}
		before := files(t, dir)
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
		r.Redo = folder.PassCount
		for _, pass := range []folder.Pass{folder.PassCount, folder.PassBalance, folder.PassTexts} {
			if err := r.Do(context.Background(), pass); err != nil {
				t.Fatalf("format %s: %v", format, err)
			}
			r.Redo = ""
		}
		if _, err := verify.Run(context.Background(), out, tell); err != nil {
			t.Fatal(err)
		}
		after := files(t, dir)
		graphs := 0
		for name, sum := range before {
			if strings.HasPrefix(name, "graphs/") {
				graphs++
				if after[name] != sum {
					t.Errorf("format %s: %s was made again", format, name)
				}
			}
			if after[name] == "" {
				t.Errorf("format %s: %s is not there any more", format, name)
			}
		}
		if graphs == 0 {
			t.Errorf("format %s holds no graphs", format)
		}
	}
}
