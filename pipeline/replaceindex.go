package pipeline

import (
	"fmt"
	"strings"

	"capgraph/folder"
)

// tryReplaceIndex removes an index that was made with other settings, with all output that depends on
// it, and reports whether it did. It does so only if no pass has finished rows, but at most rejects.
func (ix *indexer) tryReplaceIndex(now *folder.PassPlan, index *folder.Index) (bool, error) {
	old, err := ix.Folder.ReadPlan(folder.PassIndex)
	if err != nil || old == nil || folder.IsCompatible(old, now, true) || !old.IsReadable() {
		return false, err
	}
	if ix.Parts > 1 && ix.only != "" && ix.only != folder.PassIndex {
		return false, nil
	}
	rejects, finished, err := ix.hasFinishedRows()
	if err != nil || finished {
		return false, err
	}
	what := "nothing of pass %s is finished, and its settings are replaced"
	if rejects {
		what = "all rows were rejected, and the settings of pass %s are replaced"
	}
	ix.warnReplacedPlan(what, old, now)
	if err := ix.removePasses(0, index); err != nil {
		return false, err
	}
	return true, ix.removeIndex()
}

// hasFinishedRows reports whether a finished shard has rows. If not, rejects is true if finished
// shards have only rejects. If the first pass has no rows, the others have none.
func (ix *indexer) hasFinishedRows() (rejects, rows bool, err error) {
	first := ix.Passes[0].Name
	done, err := ix.Folder.ListFinished(first)
	if err != nil {
		return false, false, err
	}
	for shard := range done {
		entry, err := ix.Folder.ReadEntry(first, shard)
		if err != nil || entry.RowsOut > 0 {
			return false, true, nil // a damaged entry may be of a shard with rows
		}
	}
	if len(done) > 0 {
		return true, false, nil
	}
	for _, p := range ix.Passes[1:] {
		done, err := ix.Folder.ListFinished(p.Name)
		if err != nil || p.Reduce == nil && len(done) > 0 {
			return false, true, err
		}
	}
	return false, false, nil
}

func (r *Run) warnReplacedPlan(what string, old, now *folder.PassPlan) {
	r.warn(fmt.Sprintf("%s: "+what+":\n  %s", r.Folder.Dir, old.Pass, strings.Join(folder.ListChanges(old, now), "\n  ")))
}
