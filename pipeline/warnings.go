package pipeline

import (
	"fmt"

	"capgraph/folder"
	"capgraph/internal/text"
)

// warnAboutStats shows the warnings of a pass, even if an earlier run made it.
func (e *executor) warnAboutStats(pass *Pass, state *folder.State) error {
	if e.Warn == nil || pass.Reduce != nil && !state.IsComplete(pass.Name) {
		return nil
	}
	if pass.Reduce != nil {
		entry, err := e.Folder.ReadEntry(pass.Name, folder.Whole)
		if err != nil {
			return err
		}
		for _, text := range entry.Warnings {
			e.Warn(text)
		}
	}
	if pass.WarnOnStats == nil {
		return nil
	}
	stats, err := e.sumStats(pass, state)
	if err != nil {
		return err
	}
	if text := pass.WarnOnStats(stats); text != "" {
		e.Warn(text)
	}
	return nil
}

// warnSkipped warns of the shards that a pass is made without. It names each shard once, since a shard
// that failed also fails in later passes.
func (e *executor) warnSkipped(bad *FailedError) {
	var failures []folder.Failure
	for _, f := range bad.Failures {
		if !e.warned[f.Shard] {
			e.warned[f.Shard] = true
			failures = append(failures, f)
		}
	}
	if len(failures) > 0 {
		e.warn(fmt.Sprintf("pass %s goes on without %s that failed (source.on_bad_file: skip):%s", bad.Pass, text.Counted(len(failures), "shard", "shards"), listFailures(failures)))
	}
}

// sumStats returns the figures of a pass.
func (e *executor) sumStats(pass *Pass, state *folder.State) (map[string]int64, error) {
	if pass.Reduce != nil {
		entry, err := e.Folder.ReadEntry(pass.Name, folder.Whole)
		if err != nil {
			return nil, err
		}
		return entry.Stats, nil
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
