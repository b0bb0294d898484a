package pipeline

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// Reducer is what a pass over the whole folder works with.
type Reducer struct {
	Env    Env
	Folder folder.Folder
	// Shards are those that the last pass over shards finished, in their order.
	Shards []folder.Shard

	pass     *Pass
	plan     string
	files    []*folder.File
	entry    folder.Entry
	progress *Progress
}

// Step begins a part of the pass, which a person is shown by its name: it goes over
// total of what one and many name, 0 where it is not known of how many.
func (r *Reducer) Step(name, one, many string, total int64) {
	r.progress.step(step{string(r.pass.Name), name, one, many, total})
}

// Advance says that the part went over n more.
func (r *Reducer) Advance(n int64) { r.progress.add(n, 0) }

// Stat adds n to a named figure of the pass.
func (r *Reducer) Stat(name string, n int64) { r.entry.Stats[name] += n }

// Warn has this run, and those after it, tell a person what it found.
func (r *Reducer) Warn(text string) { r.entry.Warnings = append(r.entry.Warnings, text) }

// MergedCounts gives the counts of a pass summed over all shards, in the order
// of kind and key.
func (r *Reducer) MergedCounts(ctx context.Context, pass folder.Pass) iter.Seq2[schemas.Count, error] {
	return r.Folder.MergedCounts(ctx, pass, r.Shards)
}

// WriteCounts writes rows, sorted by kind and key, to the file of that name
// (see Reduced), which is published when the pass is done.
func (r *Reducer) WriteCounts(name string, rows iter.Seq2[schemas.Count, error]) error {
	out, err := r.Folder.Create(folder.Reduced(name))
	if err != nil {
		return err
	}
	r.files = append(r.files, out)
	return counts.Write(out, rows, parquetio.WriterOptions{Metadata: map[string]string{
		"capgraph.format": folder.FormatVersion, "capgraph.pass": string(r.pass.Name), "capgraph.plan": r.plan,
	}})
}

// reduce runs a pass over the whole folder.
func (r *Run) reduce(ctx context.Context, pass *Pass, plan string, state *folder.State) error {
	before := folder.PassTally
	if state.CountedInParse() {
		before = folder.PassParse
	}
	red := &Reducer{Env: r.Env, Folder: r.Folder, Shards: state.Finished(before), pass: pass, plan: plan, progress: r.Progress,
		entry: folder.Entry{Pass: pass.Name, Shard: folder.Whole, Plan: plan, Rejects: map[string]int64{}, Stats: map[string]int64{}}}
	red.Env.Counts, red.Env.Warn = r.Folder.Counts, r.Warn
	defer r.Progress.stop()
	defer func() {
		for _, f := range red.files {
			f.Discard()
		}
	}()
	if err := runReduce(ctx, pass, red); err != nil {
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.Folder.StillPlanned(pass.Name, plan, state.Index.Plan); err != nil {
		return err
	}
	for _, f := range red.files {
		hash, err := f.Publish()
		if err != nil {
			return err
		}
		red.entry.Files = append(red.entry.Files, hash)
	}
	return r.Folder.PublishJSON(folder.EntryFile(pass.Name, folder.Whole), &red.entry)
}

// runReduce calls the pass; should it panic, that is its error.
func runReduce(ctx context.Context, pass *Pass, red *Reducer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panicked: %v (please report it)\n%s", r, debug.Stack())
		}
	}()
	return pass.Reduce(ctx, red)
}
