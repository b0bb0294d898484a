package stages_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/pipeline"
	"capgraph/stages"
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
	other := func(redo string) *pipeline.Run {
		r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1, "clean.min_words=9")
		r.Redo = redo
		return r
	}
	begin := sync.OnceFunc(func() {
		r := other(stages.PassParse)
		r.Part, r.Parts = 1, 2
		if err := r.Do(ctx, stages.PassParse); err != nil {
			t.Error(err)
		}
	})
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), source, dir, 1)
	r.Passes[0].Stages = append(r.Passes[0].Stages, pipeline.Spec{
		Name: "first", New: func(context.Context, pipeline.Env) (pipeline.Stage, error) { return first{begin}, nil },
	})
	named := func(err error, shard string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "shard "+shard+" of pass parse was made by the plan") ||
			!strings.Contains(err.Error(), "entries/parse/"+shard+".json") {
			t.Errorf("error %v", err)
		}
	}
	named(r.Do(ctx, stages.PassParse), "train-00001-of-00004")
	named(other("").Do(ctx, ""), "train-00000-of-00004")
	named(other(stages.PassCount).Do(ctx, ""), "train-00000-of-00004")
	if err := other(stages.PassParse).Do(ctx, ""); err != nil {
		t.Error(err)
	}
}
