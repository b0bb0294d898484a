package pipeline

import "capgraph/folder"

// isOfPart reports whether shard i belongs to this process.
func (r *Run) isOfPart(i int) bool { return i%r.Parts == r.Part }

// ownShards lists the unfinished shards of a pass that belong to this process. A pass over the
// whole folder belongs to every process.
func (r *Run) ownShards(pass *Pass, state *folder.State) []folder.Shard {
	var shards []folder.Shard
	for i, s := range state.Shards(pass.Name) {
		if !state.IsFinished(pass.Name, s) && (pass.Reduce != nil || r.isOfPart(i)) {
			shards = append(shards, s)
		}
	}
	return shards
}

// firstFailures returns the first failure of each shard in the passes, by the shard's name.
func (r *Run) firstFailures(passes []*Pass, state *folder.State) (map[string]folder.Failure, error) {
	first := map[string]folder.Failure{}
	for _, p := range passes {
		failures, err := state.Failures(p.Name)
		if err != nil {
			return nil, err
		}
		for _, f := range failures {
			if _, before := first[f.Shard]; !before {
				first[f.Shard] = f
			}
		}
	}
	return first, nil
}

// missingInputs returns the names of the unfinished shards of a pass. With source.on_bad_file:
// skip, those that failed in it or in an earlier pass are left out.
func (r *Run) missingInputs(pass *Pass, state *folder.State) ([]string, error) {
	var skipped map[string]folder.Failure
	if r.SkipBad {
		var err error
		if skipped, err = r.firstFailures(r.Passes[:r.passIndex(pass.Name)+1], state); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, s := range state.Unfinished(pass.Name) {
		if _, failed := skipped[s.Name]; !failed {
			names = append(names, s.Name)
		}
	}
	return names, nil
}

// checkInput returns an error if the previous pass, before, is not complete.
func (e *executor) checkInput(before *Pass, name folder.Pass, state *folder.State) error {
	missing, err := e.missingInputs(before, state)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return &NotReadyError{Pass: name, Needs: before.Name, Missing: missing}
	}
	return e.checkBadFiles(state)
}

// describeLeftOut returns the end of the input of a pass over the folder that was made without
// shards: " without a without b". It differs once these shards exist.
func describeLeftOut(shards []folder.Shard) string {
	left := ""
	for _, s := range shards {
		left += folder.MissingShardMarker + s.Name
	}
	return left
}
