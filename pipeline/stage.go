package pipeline

import (
	"context"
	"iter"
	"log/slog"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/prometheus/client_golang/prometheus"

	"capgraph/internal/counts"
	"capgraph/schemas"
)

// Stage assigns columns to record batches. One Stage processes all shards of a pass and is called
// from several goroutines at once. A Stage that is an io.Closer is closed when its pass ends.
type Stage interface {
	// Process returns a batch with the rows of in, in their order, and with the columns that the
	// stage assigns. The caller keeps in and owns the returned batch. In batches of graphs/, all
	// captions of an image are together, up to folder.MaxImageRows and folder.MaxImageBytes. A bad
	// row is reported as a reject; an error ends the run. A panic fails the shard.
	Process(ctx context.Context, in arrow.Record, report *Report) (arrow.Record, error)
}

// StatusReporter is a Stage with figures of its own for the progress display.
type StatusReporter interface {
	// Status returns the current figures; nil if there are none.
	Status() []slog.Attr
}

// Spec describes a stage: a row of the table of stages.
type Spec struct {
	Name, Summary string
	// Requires are the columns that the stage reads, Assigns the columns that it adds.
	Requires []string
	Assigns  []arrow.Field
	// New makes the stage when its pass begins.
	New func(ctx context.Context, env Env) (Stage, error)
	// InFlight is the largest number of batches that the stage may hold at once while it waits for a
	// server. It is 0 for a stage that only computes.
	InFlight int
}

// Env has what a run provides to its stages.
type Env struct {
	Mem  memory.Allocator
	Seed uint64
	// Warn shows a warning while a pass runs. It may be nil.
	Warn func(text string)
	// Measure serves figures to Prometheus until remove is called; nil serves none.
	Measure func(figures prometheus.Gatherer) (remove func())
	// Counts returns the rows of a finished count of the folder, sorted by kind and key. name is a
	// file that a Reduce wrote.
	Counts func(name string) (iter.Seq2[schemas.Count, error], error)
}

// Report collects what a stage reports about a batch besides its columns: rejects, counts, figures.
// It is used by one goroutine at a time.
type Report struct {
	rejects []reject
	counts  *counts.Table
	stats   map[string]int64
}

type reject struct {
	row            int
	reason, detail string
}

// Reject removes the row from the batch, for a reason (a fixed word) with a detail (the text or
// value concerned). Only the first reason of a row counts.
func (r *Report) Reject(row int, reason, detail string) {
	r.rejects = append(r.rejects, reject{row, reason, detail})
}

// AddCount adds n to the exact count of a key, summed over the corpus.
func (r *Report) AddCount(kind, key string, n int64) { r.counts.Add(kind, key, n) }

// AddStat adds n to a named figure of the shard.
func (r *Report) AddStat(name string, n int64) { r.stats[name] += n }

// NewReport returns an empty report, to call a stage outside a pass.
func NewReport() *Report { return &Report{counts: counts.NewTable(), stats: map[string]int64{}} }
