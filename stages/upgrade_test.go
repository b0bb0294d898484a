package stages_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/store"
)

var writeFormat = flag.Bool("write-format", false, "write the folder of the format of today anew, as this version writes it")

// formatFolder is a small folder of the current format that an earlier version of the parser and
// of the texts finished, with these settings.
const formatFolder = "../testdata/format-4"

var formatSettings = []string{"parse.parser=rules", "texts.min_confidence=0.75", "negatives.public_counts=15000", "negatives.mix={object: 0.4, attribute: 0.3}", "negatives.paraphrases=0", "negatives.methods=[replace_attribute,replace_object,replace_relation,swap_objects,swap_attributes,swap_adjectives,fill_attribute,fill_action,fill_object]"}

const formatSource = "../testdata/format-corpus.tsv"

// TestFinishedFolderGoesOn runs again over a folder that an earlier version finished. With the same
// settings nothing changes. If counts are redone, its graphs stay and all later passes use them.
func TestFinishedFolderGoesOn(t *testing.T) {
	if *writeFormat {
		if err := os.RemoveAll(formatFolder); err != nil {
			t.Fatal(err)
		}
		if err := run(t, store.Local{}, formatSource, formatFolder, 1, formatSettings...); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(formatFolder)); err != nil {
		t.Fatal(err)
	}
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), formatSource, dir, 1, formatSettings...)
	notesOf(t, dir)
	before := files(t, dir)
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	same(t, "run again", before, files(t, dir))
	r.Redo = folder.PassTally
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	notesOf(t, dir)
	after := files(t, dir)
	graphs := 0
	for name, sum := range before {
		if strings.HasPrefix(name, "graphs/") {
			graphs++
			if after[name] != sum {
				t.Errorf("%s was made again", name)
			}
		}
	}
	if graphs == 0 {
		t.Error("it has no graphs")
	}
}
