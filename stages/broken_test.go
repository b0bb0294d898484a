package stages_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/pipeline"
	"capgraph/store"
)

// broken is a stage that fails.
type broken struct{ err error }

func (b broken) Process(context.Context, arrow.Record, *pipeline.Report) (arrow.Record, error) {
	return nil, b.err
}

// An error that ends the run says in which pass and shard it came.
func TestErrorNamesItsShard(t *testing.T) {
	r := newRun(t, store.Local{}, memory.NewGoAllocator(), corpus(t, 5), t.TempDir(), 1)
	cause := errors.New("out of luck")
	r.Passes[0].Stages = append(r.Passes[0].Stages, pipeline.Spec{
		Name: "broken", New: func(context.Context, pipeline.Env) (pipeline.Stage, error) { return broken{cause}, nil },
	})
	err := r.Do(context.Background(), "")
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "pass parse, shard train-00000-of-00001: stage broken on rows") {
		t.Errorf("error %v", err)
	}
}
