package stages_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/store"
)

// What an older version finished needs no --redo, and what it only began does:
// Describe says it as Do has it.
func TestDescribeAnotherVersion(t *testing.T) {
	source, dir := corpus(t, 20), t.TempDir()
	newer := func() *pipeline.Run { return newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1) }
	older := newer()
	for _, p := range older.Passes {
		p.Version += " of before"
	}
	describe := func() string {
		var b strings.Builder
		if err := newer().Describe(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if err := older.Do(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	if got := describe(); strings.Contains(got, "--redo") {
		t.Errorf("finished: %s", got)
	}
	if err := newer().Do(context.Background(), ""); err != nil {
		t.Errorf("finished: %v", err)
	}
	if err := os.Remove(older.Folder.Path(folder.EntryFile("texts", "train-00000-of-00002"))); err != nil {
		t.Fatal(err)
	}
	if got := describe(); !strings.Contains(got, "needs --redo texts): version") || strings.Contains(got, "--redo parse") {
		t.Errorf("begun: %s", got)
	}
	if err := newer().Do(context.Background(), ""); err == nil {
		t.Error("begun: not refused")
	}
}
