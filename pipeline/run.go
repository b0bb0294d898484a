package pipeline

import (
	"context"

	"capgraph/folder"
	"capgraph/internal/usage"
)

// Run is one run of the passes on an output folder. Set the exported fields, then call Do.
type Run struct {
	Folder  folder.Folder
	Corpus  func() (*Corpus, error) // opened only when a pass needs it
	Output  Output
	Passes  []*Pass // after the index, in order
	Env     Env
	Workers int
	// Part and Parts define the shards of this process: those whose number is Part modulo Parts.
	Part, Parts int
	// SkipBad continues without files that cannot be read. MaxBad is the largest share of such
	// files: 0 allows none, a small share at least one.
	SkipBad bool
	MaxBad  float64
	// MaxRejected is the largest share of rows that the pass parse may reject; 0 means any.
	MaxRejected float64
	// Redo is the first pass that Do makes again, with all later ones; "" if there is none.
	Redo folder.Pass
	// Append adds new files of the corpus to the folder.
	Append bool
	// Yes allows Redo of the index to remove finished shards.
	Yes      bool
	Progress *Progress
	// Program is the command with which the program was called, for the commands that the summary
	// suggests.
	Program string
	// Made are the passes for which Do made shards.
	Made []folder.Pass
	// Warn shows a warning. It may be nil.
	Warn func(text string)

	corpus *Corpus
	only   folder.Pass                     // the argument of Do
	made   map[folder.Pass]*folder.Account // of the shards that Do made

	finishing bool // Do first finishes the folder, and then appends files

	bad, files int // failed files and all files, set by Accounts
}

// Do runs the pass of that name, or all passes if only is empty.
func (r *Run) Do(ctx context.Context, only folder.Pass) error {
	err := r.runOnce(ctx, only)
	if err == nil && r.finishing {
		err = r.runOnce(ctx, only)
	}
	return err
}

// runOnce makes or updates the index, and runs the passes.
func (r *Run) runOnce(ctx context.Context, only folder.Pass) error {
	if err := r.checkPasses(); err != nil {
		return err
	}
	r.only, r.made = only, map[folder.Pass]*folder.Account{}
	keep, err := r.firstRedone(only)
	if err != nil {
		return err
	}
	index, err := r.existingIndex(keep)
	if err != nil {
		return err
	}
	r.Parts = max(r.Parts, 1)
	if r.Parts == 1 {
		if err := r.Folder.Sweep(); err != nil {
			return err
		}
	}
	var state *folder.State
	if index != nil {
		if state, err = r.Folder.ReadState(index); err != nil {
			return err
		}
	}
	if err := r.checkPreflight(only, state, keep); err != nil {
		return err
	}
	before := index
	if r.Append && index == nil {
		return usage.Errorf("--append: %s has no index, so there is nothing to join: check output.dir, or run without --append", r.Folder.Dir)
	}
	ix := indexer{r}
	index, plan, err := ix.indexPass(ctx, index, state)
	if err != nil {
		return err
	}
	if index != before {
		if state, err = r.Folder.ReadState(index); err != nil {
			return err
		}
	}
	if keep == len(r.Passes) {
		if state, err = r.removeStaleAggregates(only, state); err != nil {
			return err
		}
	}
	if only == folder.PassIndex {
		_, err := r.removeFrom(keep, index)
		return err
	}
	if err := r.checkOutputs(state, keep); err != nil {
		return err
	}
	e := executor{planner: planner{Run: r, only: only}, warned: map[string]bool{}}
	return e.runPasses(ctx, plan, keep, state)
}

// checkOutputs checks the files and plans of the finished shards of the passes to keep. A process
// that makes one part of a run does not, since runs over the whole folder do.
func (r *Run) checkOutputs(state *folder.State, keep int) error {
	if r.Parts > 1 {
		return nil
	}
	for _, pass := range r.Passes[:keep] {
		if err := state.CheckEntries(pass.Name); err != nil {
			return err
		}
		if err := state.WriteCompacted(pass.Name); err != nil {
			return err
		}
	}
	return nil
}
