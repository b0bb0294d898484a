package pipeline

import (
	"fmt"

	"capgraph/folder"
	"capgraph/internal/text"
)

// warnAboutStats shows the warnings of a pass, also if an earlier run made it.
func (r *Run) warnAboutStats(pass *Pass, state *folder.State) error {
	if r.Warn == nil || pass.Reduce != nil && !state.IsComplete(pass.Name) {
		return nil
	}
	if pass.Reduce != nil {
		e, err := r.Folder.ReadEntry(pass.Name, folder.Whole)
		if err != nil {
			return err
		}
		for _, text := range e.Warnings {
			r.Warn(text)
		}
	}
	if pass.WarnOnStats == nil {
		return nil
	}
	stats, err := r.sumStats(pass, state)
	if err != nil {
		return err
	}
	if text := pass.WarnOnStats(stats); text != "" {
		r.Warn(text)
	}
	return nil
}

// warnSkipped warns of the shards that a pass goes on without. told are those already named, since a
// shard that failed fails in the later passes too.
func (r *Run) warnSkipped(bad *FailedError, told map[string]bool) {
	var failures []folder.Failure
	for _, f := range bad.Failures {
		if !told[f.Shard] {
			told[f.Shard] = true
			failures = append(failures, f)
		}
	}
	if len(failures) > 0 {
		r.warn(fmt.Sprintf("pass %s goes on without %s that failed (source.on_bad_file: skip):%s", bad.Pass, text.Counted(len(failures), "shard", "shards"), listFailures(failures)))
	}
}

// sumStats returns the figures of a pass.
func (r *Run) sumStats(pass *Pass, state *folder.State) (map[string]int64, error) {
	if pass.Reduce != nil {
		e, err := r.Folder.ReadEntry(pass.Name, folder.Whole)
		if err != nil {
			return nil, err
		}
		return e.Stats, nil
	}
	a, err := state.Account(pass.Name)
	if err != nil {
		return nil, err
	}
	return a.Stats, nil
}

// warn shows a warning if Warn is set.
func (r *Run) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}
