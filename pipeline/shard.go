package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/schemas"
)

// passRun executes a pass over shards. Its stages are created once and process all shards.
type passRun struct {
	pass       *Pass
	plan       string
	vocabulary string        // its SHA-256; empty if rows are made without
	schema     *arrow.Schema // nil if the pass writes no rows
	sample     *Sample       // nil if it keeps none
	index      *folder.Index
	state      *folder.State // before the pass
	env        Env
	folder     folder.Folder
	stages     []Stage
	// Limits: slots of the batches in the stages, over all shards; queue of the batches of one shard
	// between reading and writing; budget of the bytes of all batches.
	slots    chan struct{}
	queue    int
	budget   *memoryBudget
	progress *Progress

	mu   sync.Mutex
	made *folder.Account // the entries of the shards that this process made, added up
}

// stageAttrs returns the status figures of the stages.
func (p *passRun) stageAttrs() []slog.Attr {
	var attrs []slog.Attr
	for _, s := range p.stages {
		if t, ok := s.(StatusReporter); ok {
			attrs = append(attrs, t.Status()...)
		}
	}
	return attrs
}

// closeStages closes the stages that are an io.Closer.
func (p *passRun) closeStages() error {
	var errs []error
	for _, s := range p.stages {
		if c, ok := s.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// badShard reports bad data in one shard. Other shards continue.
type badShard struct{ err error }

func (e *badShard) Error() string { return e.err.Error() }
func (e *badShard) Unwrap() error { return e.err }

// job is a batch on its way through the stages. Once done has a value, in is the output.
type job struct {
	in      arrow.Record
	rejects []folder.Reject
	stats   map[string]int64
	rows    int64
	bytes   int64 // reserved in the budget
	done    chan error
}

// processShard reads a shard, sends it through the stages, writes its outputs and publishes them with
// the entry. On an error no temporary file remains.
func (p *passRun) processShard(ctx context.Context, s folder.Shard) error {
	batches, err := p.pass.Open(ctx, p.env, p.index, s)
	if err != nil {
		return err
	}
	defer batches.Close()
	out, err := p.newShardWriter(s)
	if err != nil {
		return err
	}
	defer out.discardFiles()

	counted := newCountCollector(p.folder)
	defer counted.discardRuns()
	jobs := make(chan *job, p.queue)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var g errgroup.Group
	g.Go(func() error {
		defer close(jobs)
		err := p.readBatches(ctx, batches, counted, jobs)
		if err != nil {
			stop(err)
		}
		return err
	})
	g.Go(func() error { return p.writeBatches(jobs, out, stop) })
	if err := g.Wait(); err != nil {
		return context.Cause(ctx)
	}
	if err := out.finish(ctx, counted); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made.Add(&out.entry)
	return nil
}

// readBatches sends the batches of a shard to jobs in order, and starts processing each.
func (p *passRun) readBatches(ctx context.Context, batches Batches, counted *countCollector, jobs chan<- *job) error {
	for {
		rec, rejects, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		j := &job{in: rec, rejects: rejects, stats: map[string]int64{}, done: make(chan error, 1)}
		j.rows = rec.NumRows() + int64(len(rejects))
		if j.bytes, err = p.budget.reserve(ctx, rec); err != nil {
			rec.Release()
			return err
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			p.budget.release(j.bytes)
			rec.Release()
			return ctx.Err()
		}
		go func() { j.done <- p.processBatch(ctx, j, counted) }()
	}
}

// writeBatches writes finished jobs in order and releases every batch. At the first error it stops
// the reading.
func (p *passRun) writeBatches(jobs <-chan *job, out *shardWriter, stop context.CancelCauseFunc) error {
	var failed error
	for j := range jobs {
		err := <-j.done
		if err == nil && failed == nil {
			err = out.writeBatch(j)
		}
		if err != nil && failed == nil {
			failed = err
			stop(err)
		}
		j.in.Release()
		p.budget.release(j.bytes)
	}
	return failed
}

// processBatch sends a batch through all stages.
func (p *passRun) processBatch(ctx context.Context, j *job, counted *countCollector) (err error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	report := &Report{counts: counted.borrowTable(), stats: j.stats}
	defer func() { err = errors.Join(err, counted.returnTable(report.counts)) }()
	for i, stage := range p.stages {
		report.rejects = report.rejects[:0]
		name := p.pass.Stages[i].Name
		out, err := runStage(ctx, name, stage, j.in, report)
		if err != nil {
			return err
		}
		j.in.Release()
		j.in = out
		if len(report.rejects) == 0 {
			continue
		}
		keep, rejects, err := buildRejects(j.in, name, report.rejects)
		if err != nil {
			return fmt.Errorf("stage %s: %w", name, err)
		}
		kept, err := schemas.Keep(p.env.Mem, j.in, keep)
		if err != nil {
			return fmt.Errorf("stage %s: %w", name, err)
		}
		j.in.Release()
		j.in, j.rejects = kept, append(j.rejects, rejects...)
	}
	return nil
}

// runStage calls the stage. A panic fails only this shard.
func runStage(ctx context.Context, name string, stage Stage, in arrow.Record, report *Report) (out arrow.Record, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &badShard{fmt.Errorf("stage %s panicked on %s: %v (please report it with these rows)\n%s", name, describeRows(in), r, debug.Stack())}
		}
	}()
	out, err = stage.Process(ctx, in, report)
	if err != nil {
		return nil, fmt.Errorf("stage %s on %s: %w", name, describeRows(in), err)
	}
	if out.NumRows() != in.NumRows() {
		out.Release()
		return nil, fmt.Errorf("stage %s on %s: %d rows went in and %d came out", name, describeRows(in), in.NumRows(), out.NumRows())
	}
	return out, nil
}

// describeRows names the rows of a batch by their first and last key.
func describeRows(rec arrow.Record) string {
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil || keys.Len() == 0 {
		return "an empty batch"
	}
	return fmt.Sprintf("rows %q to %q", keys.Value(0), keys.Value(keys.Len()-1))
}
