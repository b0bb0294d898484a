package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/store"
)

// passIndex returns the index of the pass called name in Passes, or −1.
func (r *Run) passIndex(name folder.Pass) int {
	return slices.IndexFunc(r.Passes, func(p *Pass) bool { return p.Name == name })
}

// firstRedone returns the index of the first pass that --redo repeats, or the number of passes
// without --redo. It returns an error if --redo with --only would remove the input of the only pass.
func (r *Run) firstRedone(only folder.Pass) (int, error) {
	switch {
	case r.Redo == "":
		return len(r.Passes), nil
	case r.Redo != folder.PassIndex && r.passIndex(r.Redo) < 0:
		return 0, usage.Errorf("--redo %s: there is no such pass", r.Redo)
	}
	from := max(r.passIndex(r.Redo), 0)
	if r.passIndex(only) > from {
		return 0, usage.Errorf("--redo %s with --only %s would remove what pass %s is made of: run without --only, or each pass by itself", r.Redo, only, only)
	}
	return from, nil
}

// existingIndex returns the index of the folder, or nil if there is none and the passes to keep have
// no output. With --redo it returns an error if no run began in the folder. With --redo index a
// damaged index counts as none.
func (r *Run) existingIndex(keep int) (*folder.Index, error) {
	index, err := r.readIndex()
	if err != nil && r.Redo == folder.PassIndex && !store.IsEnvironmentError(err) {
		return nil, nil
	}
	if index != nil || err != nil {
		return index, err
	}
	for _, p := range r.Passes[:keep] {
		done, err := r.Folder.ListFinished(p.Name)
		if err != nil {
			return nil, err
		}
		if len(done) == 0 {
			continue
		}
		// Another process may have made the index and the entries in the meantime.
		if index, err = r.readIndex(); index == nil && err == nil {
			err = fmt.Errorf("%s is not there and entries of pass %s were made with it (run again with --redo %s)", r.Folder.Path(folder.IndexFile), p.Name, folder.PassIndex)
		}
		return index, err
	}
	if r.Redo == "" {
		return nil, nil
	}
	if begun, err := r.Folder.HasOutput(); err != nil || begun {
		return nil, err
	}
	return nil, usage.Errorf("--redo %s: %s has neither an index nor a plan, so no run began there: check output.dir, or run without --redo", r.Redo, r.Folder.Dir)
}

// checkPreflight runs the preflight check of each pass that has something to make.
func (r *Run) checkPreflight(only folder.Pass, state *folder.State, keep int) error {
	for i, p := range r.Passes {
		if p.Preflight == nil || only != "" && only != p.Name {
			continue
		}
		if state != nil && i < keep && len(r.ownShards(p, state)) == 0 {
			continue
		}
		if err := p.Preflight(); err != nil {
			return err
		}
	}
	return nil
}

// removeForIndex removes the index and the output of all passes, so that a new index can replace it.
// It returns an error, and removes nothing, if the new index has too many bad files.
func (ix *indexer) removeForIndex(made, old *folder.Index) error {
	if err := ix.refuseBadFiles("--redo index", "nothing was removed", nil, made.Files); err != nil {
		return err
	}
	if err := ix.checkConfirmed(); err != nil {
		return err
	}
	if err := ix.removePasses(0, old); err != nil {
		return err
	}
	return ix.removeIndex()
}

// removeIndex removes the index and its plan.
func (r *Run) removeIndex() error {
	if err := r.Folder.RemoveIndex(); err != nil {
		return err
	}
	return r.Folder.RemoveFile(folder.PlanFile(folder.PassIndex))
}

// checkConfirmed returns an error if --redo index would remove finished shards and --yes is not set.
func (ix *indexer) checkConfirmed() error {
	if ix.Yes {
		return nil
	}
	if _, rows, err := ix.hasFinishedRows(); err != nil || !rows {
		return err
	}
	var finished []string
	for _, p := range ix.Passes {
		done, err := ix.Folder.ListFinished(p.Name)
		if err != nil {
			return err
		}
		if n := int64(len(done)); n > 0 && p.Reduce == nil {
			finished = append(finished, fmt.Sprintf("%s of pass %s", text.Counted(n, "shard", "shards"), p.Name))
		}
	}
	if len(finished) == 0 {
		return nil
	}
	return usage.Errorf("--redo %s removes what is finished in %s, %s, and nothing was removed: say --yes as well, or choose another output.dir", folder.PassIndex, ix.Folder.Dir, strings.Join(finished, " and "))
}

// removeFrom removes the outputs of the passes from index from on, and returns the state after that.
func (r *Run) removeFrom(from int, index *folder.Index) (*folder.State, error) {
	if err := r.removePasses(from, index); err != nil {
		return nil, err
	}
	return r.Folder.ReadState(index)
}

// removePasses removes the outputs of the passes from index from on, the last first, and no other
// file of the folder. index is nil if there is none.
func (r *Run) removePasses(from int, index *folder.Index) error {
	for _, p := range slices.Backward(r.Passes[from:]) {
		if err := r.Folder.RemovePass(p.Name, index); err != nil {
			return err
		}
		if p.OnRemove != nil {
			if err := p.OnRemove(); err != nil {
				return err
			}
		}
	}
	return nil
}
