package pipeline

import (
	"context"
	"iter"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// Reducer is the environment of a pass over the whole folder, or of one of its tasks.
type Reducer struct {
	Env    Env
	Folder folder.Folder
	Index  *folder.Index
	// Shards are the shards that the last pass over shards finished, sorted by the names of their
	// files, so that their order does not depend on when files were appended.
	Shards []folder.Shard
	// Rows returns how many rows that pass wrote.
	Rows func() (int64, error)

	pass     *Pass
	plan     string
	files    []*folder.File
	entry    folder.Entry
	progress *Progress
}

func (e *executor) newReducer(pass *Pass, plan, shard string, state *folder.State) *Reducer {
	before := folder.PassTally
	red := &Reducer{Env: e.Env, Folder: e.Folder, Index: state.Index, Shards: sortBySource(state.Finished(before), state.Index), pass: pass, plan: plan, progress: e.Progress,
		entry: folder.Entry{Pass: pass.Name, Shard: shard, Plan: plan, Rejects: map[string]int64{}, Stats: map[string]int64{}}}
	red.Env.Counts, red.Env.Warn = e.Folder.ReadCounts, e.Warn
	red.Rows = func() (int64, error) {
		a, err := state.Account(before)
		if err != nil {
			return 0, err
		}
		return a.Out, nil
	}
	return red
}

// sortBySource sorts shards by the names of their files, and keeps the order within a file.
func sortBySource(shards []folder.Shard, x *folder.Index) []folder.Shard {
	if x.Generations > 0 {
		slices.SortStableFunc(shards, func(a, b folder.Shard) int { return strings.Compare(x.Files[a.File].Name, x.Files[b.File].Name) })
	}
	return shards
}

// StartStep begins a named part of the pass in the progress display: total units, 0 if that is not
// known. one and many name the unit: "task", "tasks".
func (r *Reducer) StartStep(name, one, many string, total int64) {
	r.progress.startStep(step{string(r.pass.Name), name, one, many, total})
}

// Advance adds n to the finished units of the part.
func (r *Reducer) Advance(n int64) { r.progress.addRows(n, 0) }

// AddStat adds n to a named figure of the pass.
func (r *Reducer) AddStat(name string, n int64) { r.entry.Stats[name] += n }

// Warn adds a warning to the entry, which this run and later ones show.
func (r *Reducer) Warn(text string) { r.entry.Warnings = append(r.entry.Warnings, text) }

// WriteCounts writes rows, sorted by kind and key, to the file folder.ReducedFile(name). It is
// published when the pass, or its task, is done.
func (r *Reducer) WriteCounts(name string, rows iter.Seq2[schemas.Count, error]) error {
	out, err := r.createFile(folder.ReducedFile(name))
	if err != nil {
		return err
	}
	return counts.Write(out, rows, r.writerOptions())
}

// NewRun begins a sorted file of counts for the tasks of later levels. It is published when its task
// is done. The caller closes it.
func (r *Reducer) NewRun(name string) (*counts.Writer, error) {
	out, err := r.createFile(folder.RunFile(r.pass.Name, name))
	if err != nil {
		return nil, err
	}
	return counts.NewWriter(out, r.writerOptions())
}

// MergeRuns returns the sums of the sorted files called runs.
func (r *Reducer) MergeRuns(ctx context.Context, runs []string) iter.Seq2[schemas.Count, error] {
	names := make([]string, len(runs))
	for i, name := range runs {
		names[i] = folder.RunFile(r.pass.Name, name)
	}
	return r.Folder.MergeFiles(ctx, names)
}

func (r *Reducer) createFile(name string) (*folder.File, error) {
	out, err := r.Folder.CreateFile(name)
	if err == nil {
		r.files = append(r.files, out)
	}
	return out, err
}

func (r *Reducer) writerOptions() parquetio.WriterOptions {
	return parquetio.WriterOptions{Metadata: map[string]string{
		"capgraph.format": folder.FormatVersion, "capgraph.pass": string(r.pass.Name), "capgraph.plan": r.plan,
	}}
}

// discardFiles removes the files that have not been published.
func (r *Reducer) discardFiles() {
	for _, f := range r.files {
		f.Discard()
	}
}

// collectTaskResults adds the statistics and output files of the tasks to the entry of the pass.
func (r *Reducer) collectTaskResults() error {
	for _, level := range r.pass.Levels {
		n, err := level.Tasks(r)
		if err != nil {
			return err
		}
		for task := range n {
			e, err := r.Folder.ReadEntry(r.pass.Name, taskName(level.Name, task))
			if err != nil {
				return err
			}
			for name, n := range e.Stats {
				r.entry.Stats[name] += n
			}
			r.entry.Warnings = append(r.entry.Warnings, e.Warnings...)
			for _, file := range e.Files {
				if r.pass.Name.HasOutputFile(file.Name) {
					r.entry.Files = append(r.entry.Files, file)
				}
			}
		}
	}
	return nil
}

// finish declares the pass, or its task, done, unless another process replaced the plan.
func (r *Reducer) finish() error {
	if err := r.Folder.CheckPlanUnchanged(r.pass.Name, r.plan); err != nil {
		return err
	}
	return r.Folder.DeclareDone(&r.entry, r.files...)
}
