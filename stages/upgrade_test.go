package stages_test

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/store"
)

var writeFormat = flag.Bool("write-format", false, "write the folder of the format of today anew, as this version writes it")

// olderFolders are small folders that older capgraphs finished, with the settings of
// their recipes: of each version of the format, and one whose graphs a model made, of
// which neither the replies nor a server is there any more. The settings of format-1
// were other ones, some of which are not there any more.
var olderFolders = []struct {
	dir  string
	sets []string
	same bool
}{
	{"format-2", olderMethods, true},
	{"format-1", nil, false},
	{"format-1-model", olderModel, true},
}

// olderMethods are the settings of format-2: the methods that were on where nothing was set, and no paraphrases.
var olderMethods = []string{"negatives.paraphrases=0", "negatives.methods=[replace_attribute,replace_object,replace_relation,swap_objects,swap_attributes,swap_adjectives,fill_attribute,fill_action,fill_object]"}

// olderModel are the settings of format-1-model, with the methods that were on where
// nothing was set.
var olderModel = []string{"dedupe=exact", "parse.parser=llm", "parse.model=m", "negatives.paraphrases=0",
	"negatives.methods=[replace_attribute,replace_object,replace_relation,swap_objects,swap_attributes,swap_noun_phrases,swap_nouns,swap_adjectives,swap_adverbs,swap_verb_phrases,fill_attribute,fill_action,fill_object]"}

const olderSource = "../testdata/format-corpus.tsv"

// olderFolder copies a folder that an older capgraph finished, and lays out a run that
// goes on from it.
func olderFolder(t *testing.T, name string, sets []string) *pipeline.Run {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/"+name)); err != nil {
		t.Fatal(err)
	}
	return newRun(t, store.Local{}, memory.NewGoAllocator(), olderSource, dir, 1, append([]string{"parse.cache=" + t.TempDir()}, sets...)...)
}

// TestFoldersOfBefore goes on from a folder that another version of capgraph
// finished: it is whole and, with the settings of then, stays as it is, and where counts are
// made anew, its graphs stand, and all after them is made of these.
func TestFoldersOfBefore(t *testing.T) {
	if *writeFormat {
		dir := "../testdata/" + olderFolders[0].dir
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := run(t, store.Local{}, olderSource, dir, 1, olderFolders[0].sets...); err != nil {
			t.Fatal(err)
		}
	}
	for _, older := range olderFolders {
		t.Run(older.dir, func(t *testing.T) {
			r := olderFolder(t, older.dir, older.sets)
			dir := r.Folder.Dir
			notesOf(t, dir)
			before := files(t, dir)
			if older.same {
				if err := r.Do(context.Background(), ""); err != nil {
					t.Fatal(err)
				}
				same(t, "gone on from", before, files(t, dir))
			}
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
				t.Error("it holds no graphs")
			}
		})
	}
}

// Texts and the balance of an older folder are made anew of what it counted in parse.
func TestAnOlderFolderIsNotCountedAgain(t *testing.T) {
	for _, redo := range []folder.Pass{folder.PassBalance, folder.PassTexts} {
		r := olderFolder(t, "format-1-model", olderModel)
		before := files(t, r.Folder.Dir)
		r.Redo = redo
		if err := r.Do(context.Background(), ""); err != nil {
			t.Fatal(err)
		}
		notesOf(t, r.Folder.Dir)
		after := files(t, r.Folder.Dir)
		for _, name := range []string{".capgraph/entries/count/all.json", ".capgraph/vocabulary.parquet", ".capgraph/plans/parse.json"} {
			if after[name] != before[name] {
				t.Errorf("--redo %s: %s is another", redo, name)
			}
		}
		if done, err := r.Folder.Done(folder.PassTally); err != nil || len(done) > 0 {
			t.Errorf("--redo %s: pass tally made %d shards, %v", redo, len(done), err)
		}
	}
}

// Where other methods are on by now, an older folder is refused, and says which.
func TestOtherMethodsOfAnOlderFolder(t *testing.T) {
	r := olderFolder(t, "format-1-model", olderModel[:4])
	before := files(t, r.Folder.Dir)
	err := r.Do(context.Background(), "")
	if err == nil || !strings.Contains(err.Error(), "negatives.methods: ") || !strings.Contains(err.Error(), "--redo balance") {
		t.Errorf("%v", err)
	}
	same(t, "refused", before, files(t, r.Folder.Dir))
	r.Redo = folder.PassBalance
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	notesOf(t, r.Folder.Dir)
}

// The duplicates of an older folder are those of its parse: another dedupe counts anew.
func TestOtherDuplicatesOfAnOlderFolder(t *testing.T) {
	sets := append(slices.Clone(olderModel), "dedupe=near")
	r := olderFolder(t, "format-1-model", sets)
	err := r.Do(context.Background(), "")
	if err == nil || !strings.Contains(err.Error(), `dedupe: "exact" → "near"`) || !strings.Contains(err.Error(), "--redo tally") {
		t.Fatalf("%v", err)
	}
	r.Redo = folder.PassTally
	if err := r.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
}
