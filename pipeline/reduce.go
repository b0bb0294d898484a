package pipeline

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime/debug"

	"capgraph/counts"
	"capgraph/schemas"
)

// Reducer is what a pass over the whole folder works with.
type Reducer struct {
	Env    Env
	Folder Folder
	// Shards are those that the last pass over shards finished, in their order.
	Shards []Shard

	pass     *Pass
	plan     string
	files    []*hashed
	entry    Entry
	progress *Progress
}

// Step begins a part of the pass, which a person is shown by its name: it goes over
// total of what one and many name, 0 where it is not known of how many.
func (r *Reducer) Step(name, one, many string, total int64) {
	r.progress.step(step{r.pass.Name, name, one, many, total})
}

// Advance says that the part went over n more.
func (r *Reducer) Advance(n int64) { r.progress.add(n, 0) }

// Stat adds n to a named figure of the pass.
func (r *Reducer) Stat(name string, n int64) { r.entry.Stats[name] += n }

// Warn has this run, and those after it, tell a person what it found.
func (r *Reducer) Warn(text string) { r.entry.Warnings = append(r.entry.Warnings, text) }

// MergedCounts gives the counts of a pass summed over all shards, in the order
// of kind and key.
func (r *Reducer) MergedCounts(ctx context.Context, pass string) iter.Seq2[schemas.Count, error] {
	return r.Folder.mergedCounts(ctx, pass, r.Shards)
}

// WriteCounts writes rows, sorted by kind and key, to the file of that name
// (see Reduced), which is published when the pass is done.
func (r *Reducer) WriteCounts(name string, rows iter.Seq2[schemas.Count, error]) error {
	out, err := r.Folder.create(Reduced(name))
	if err != nil {
		return err
	}
	r.files = append(r.files, out)
	return counts.Write(out, rows, schemas.WriterOptions{Metadata: map[string]string{
		"capgraph.format": FormatVersion, "capgraph.pass": r.pass.Name, "capgraph.plan": r.plan,
	}})
}

// Counts opens a file that WriteCounts wrote.
func (f Folder) Counts(name string) (iter.Seq2[schemas.Count, error], error) {
	return f.counts(name, counts.Read)
}

// CountsOf is Counts of the rows of one kind.
func (f Folder) CountsOf(name, kind string) (iter.Seq2[schemas.Count, error], error) {
	return f.counts(name, func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] { return counts.ReadKind(r, size, kind) })
}

// mergedCounts gives the counts of a pass summed over shards, in the order of kind
// and key.
func (f Folder) mergedCounts(ctx context.Context, pass string, shards []Shard) iter.Seq2[schemas.Count, error] {
	runs := make([]countRun, len(shards))
	for i, s := range shards {
		runs[i].name = Counts(pass, s.Name)
	}
	return f.merge(ctx, runs)
}

func (f Folder) counts(name string, read countReader) (iter.Seq2[schemas.Count, error], error) {
	if _, err := f.Store.Stat(f.Path(Reduced(name))); err != nil {
		return nil, err
	}
	return func(yield func(schemas.Count, error) bool) {
		file, err := f.Store.Open(f.Path(Reduced(name)))
		if err != nil {
			yield(schemas.Count{}, err)
			return
		}
		defer file.Close()
		for row, err := range f.readCounts(Reduced(name), file, read) {
			if !yield(row, err) {
				return
			}
		}
	}, nil
}

// reduce runs a pass over the whole folder.
func (r *Run) reduce(ctx context.Context, pass *Pass, plan string, index *Index) error {
	var before *Pass // the last one that goes shard by shard
	for _, p := range r.Passes {
		if p == pass {
			break
		}
		if p.Reduce == nil {
			before = p
		}
	}
	done, err := r.Folder.Done(before.Name)
	if err != nil {
		return err
	}
	red := &Reducer{Env: r.Env, Folder: r.Folder, pass: pass, plan: plan, progress: r.Progress,
		entry: Entry{Pass: pass.Name, Shard: Whole, Plan: plan, Rejects: map[string]int64{}, Stats: map[string]int64{}}}
	red.Env.Counts, red.Env.Warn = r.Folder.Counts, r.Warn
	for _, s := range index.Shards {
		if done[s.Name] {
			red.Shards = append(red.Shards, s)
		}
	}
	defer r.Progress.stop()
	defer func() {
		for _, f := range red.files {
			f.discard()
		}
	}()
	if err := runReduce(ctx, pass, red); err != nil {
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.Folder.stillPlanned(pass.Name, plan, index.Plan); err != nil {
		return err
	}
	for _, f := range red.files {
		hash, err := f.publish()
		if err != nil {
			return err
		}
		red.entry.Files = append(red.entry.Files, hash)
	}
	return r.Folder.publishJSON(EntryFile(pass.Name, Whole), &red.entry)
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
