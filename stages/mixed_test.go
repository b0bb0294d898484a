package stages_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/pipeline"
	"capgraph/store"
)

// first is a stage that does something before its first batch.
type first struct{ do func() }

func (f first) Process(_ context.Context, in arrow.Record, _ *pipeline.Report) (arrow.Record, error) {
	f.do()
	in.Retain()
	return in, nil
}

// A run in whose folder another begins anew with other settings does not take the
// shards of both for its own, and neither does a later run.
func TestTwoRecipesAreNotMixed(t *testing.T) {
	ctx, source, dir := context.Background(), corpus(t, 40), t.TempDir()
	other := func(redo folder.Pass) *pipeline.Run {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1, "clean.min_words=9")
		r.Redo = redo
		return r
	}
	begin := sync.OnceFunc(func() {
		r := other(folder.PassParse)
		r.Part, r.Parts = 1, 2
		if err := r.Do(ctx, folder.PassParse); err != nil {
			t.Error(err)
		}
	})
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
	r.Passes[0].Stages = append(r.Passes[0].Stages, pipeline.Spec{
		Name: "first", New: func(context.Context, pipeline.Env) (pipeline.Stage, error) { return first{begin}, nil },
	})
	var usage *usage.Error
	if err := r.Do(ctx, folder.PassParse); !errors.As(err, &usage) || !strings.Contains(err.Error(), "another run replaced the settings of pass parse") {
		t.Errorf("error %v", err)
	}
	if _, err := r.Folder.ReadEntry(folder.PassParse, "train-00000-of-00004"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a shard of the settings that were replaced is there (%v)", err)
	}
	if err := other("").Do(ctx, ""); err != nil {
		t.Error(err)
	}
}

// A shard that was made by another plan all the same is named.
func TestShardOfAnotherPlanIsNamed(t *testing.T) {
	ctx, source, dir := context.Background(), corpus(t, 40), t.TempDir()
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
	if err := r.Do(ctx, folder.PassParse); err != nil {
		t.Fatal(err)
	}
	entry := filepath.Join(dir, ".capgraph/entries/parse/train-00001-of-00004.json")
	data, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	var e folder.Entry
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	e.Plan = "0"
	if err := e.Seal(); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(&e); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry, data, 0o600); err != nil {
		t.Fatal(err)
	}
	err = newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1).Do(ctx, "")
	if err == nil || !strings.Contains(err.Error(), "shard train-00001-of-00004 of pass parse was made by the plan 0") || !strings.Contains(err.Error(), "entries/parse/train-00001-of-00004.json") {
		t.Errorf("error %v", err)
	}
}

// Two parts with different settings: the one that is held inside its first shard,
// while the other replaces the settings, publishes nothing.
func TestSettingsReplacedWhileNothingIsFinished(t *testing.T) {
	ctx, source, dir := context.Background(), corpus(t, 40), t.TempDir()
	part := func(i int, sets ...string) *pipeline.Run {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1, sets...)
		r.Part, r.Parts = i, 2
		return r
	}
	if err := part(0).Do(ctx, folder.PassIndex); err != nil {
		t.Fatal(err)
	}
	var told []string
	begin := sync.OnceFunc(func() {
		r := part(1, "clean.min_words=9")
		r.Warn = func(text string) { told = append(told, text) }
		if err := r.Do(ctx, folder.PassParse); err != nil {
			t.Error(err)
		}
	})
	r := part(0)
	r.Passes[0].Stages = append(r.Passes[0].Stages, pipeline.Spec{
		Name: "first", New: func(context.Context, pipeline.Env) (pipeline.Stage, error) { return first{begin}, nil },
	})
	var usage *usage.Error
	if err := r.Do(ctx, folder.PassParse); !errors.As(err, &usage) {
		t.Errorf("the part that was held: %v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "nothing of pass parse is finished, and its settings are replaced:\n  clean.min_words: 2 → 9") {
		t.Errorf("told %q", told)
	}
	if err := part(0, "clean.min_words=9").Do(ctx, folder.PassParse); err != nil {
		t.Error(err)
	}
	// Now that something is finished, other settings are refused.
	if err := part(0).Do(ctx, folder.PassParse); !errors.As(err, &usage) || !strings.Contains(err.Error(), "was made by other settings") {
		t.Errorf("settings of a pass that is finished: %v", err)
	}
}
