package pipeline

import "capgraph/folder"

// there checks that the files of all that is done in passes are there, and were
// made by the plans of the folder: a pass whose entries are all there is done no
// more.
func (r *Run) there(index *folder.Index, passes []*Pass) error {
	for _, pass := range passes {
		held, err := r.held(pass, index)
		if err != nil {
			return err
		}
		if err := r.Folder.MissingFiles(pass.Name, held.Entries); err != nil {
			return err
		}
		plan, err := r.Folder.Plan(pass.Name)
		if err != nil {
			return err
		}
		if plan == nil {
			continue
		}
		if err := r.Folder.OfPlan(plan.Hash(), held.Entries); err != nil {
			return err
		}
	}
	return nil
}

// ofOnePlan checks that all that is done of a pass was made by its plan, and none
// of it by a process that goes on with the settings from before a --redo.
func (r *Run) ofOnePlan(pass *Pass, plan string, index *folder.Index) error {
	held, err := r.held(pass, index)
	if err != nil {
		return err
	}
	return r.Folder.OfPlan(plan, held.Entries)
}

// held is what the folder holds of a pass.
func (r *Run) held(pass *Pass, index *folder.Index) (*folder.Held, error) {
	if pass.Reduce != nil {
		return r.Folder.Held(pass.Name, []folder.Shard{{Name: folder.Whole}})
	}
	return r.Folder.Held(pass.Name, index.Shards)
}

// own tells whether the shard of that number is this process' own.
func (r *Run) own(i int) bool { return i%r.Parts == r.Part }

// undone lists those shards of a pass without an entry that keep holds for, by their
// number in the index. A pass over the whole folder has one, which is always kept.
func (r *Run) undone(pass *Pass, index *folder.Index, keep func(i int, s folder.Shard) bool) ([]folder.Shard, error) {
	done, err := r.Folder.Done(pass.Name)
	if err != nil {
		return nil, err
	}
	if pass.Reduce != nil {
		if done[folder.Whole] {
			return nil, nil
		}
		return []folder.Shard{{Name: folder.Whole}}, nil
	}
	var shards []folder.Shard
	for i, s := range index.Shards {
		if !done[s.Name] && keep(i, s) {
			shards = append(shards, s)
		}
	}
	return shards, nil
}

// finished tells whether a pass has nothing left to make: each shard has an
// entry, or is of a file that cannot be read. One that failed in another way, or
// whose file was mended since, has.
func (r *Run) finished(pass *Pass, index *folder.Index) (bool, error) {
	left, err := r.undone(pass, index, func(_ int, s folder.Shard) bool { return !index.Broken(s) })
	return err == nil && len(left) == 0, err
}

// failed are the failures in passes by their shards, of each shard the first.
func (r *Run) failed(passes []*Pass, index *folder.Index) (map[string]folder.Failure, error) {
	failed := map[string]folder.Failure{}
	for _, p := range passes {
		failures, err := r.Folder.Failures(p.Name, index.Shards)
		if err != nil {
			return nil, err
		}
		for _, f := range failures {
			if _, before := failed[f.Shard]; !before {
				failed[f.Shard] = f
			}
		}
	}
	return failed, nil
}

// missing lists the shards of a pass that are neither done nor, where
// source.on_bad_file lets them go, failed in it or in a pass before.
func (r *Run) missing(pass *Pass, index *folder.Index) ([]string, error) {
	var skipped map[string]folder.Failure
	if r.SkipBad {
		var err error
		if skipped, err = r.failed(r.Passes[:r.at(pass.Name)+1], index); err != nil {
			return nil, err
		}
	}
	shards, err := r.undone(pass, index, func(_ int, s folder.Shard) bool {
		_, failed := skipped[s.Name]
		return !failed
	})
	var names []string
	for _, s := range shards {
		names = append(names, s.Name)
	}
	return names, err
}

// ready checks that a pass before the one of that name is whole.
func (r *Run) ready(before *Pass, name string, index *folder.Index) error {
	missing, err := r.missing(before, index)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return &NotReadyError{Pass: name, Needs: before.Name, Missing: missing}
	}
	return nil
}

// todo lists the shards of a pass that this process has to make.
func (r *Run) todo(pass *Pass, index *folder.Index) ([]folder.Shard, error) {
	return r.undone(pass, index, func(i int, _ folder.Shard) bool { return r.own(i) })
}

// leftOut names the shards that a pass over the folder is made without: the
// input of the pass is another one once they are there.
func (r *Run) leftOut(before *Pass, index *folder.Index) (string, error) {
	shards, err := r.undone(before, index, func(int, folder.Shard) bool { return true })
	left := ""
	for _, s := range shards {
		left += without + s.Name
	}
	return left, err
}
