package pipeline

import (
	"fmt"
	"strings"

	"capgraph/folder"
)

// mayReplaceIndex reports whether an index made with other settings is replaced by one of this run.
// That is so if no shard is finished in any pass. It then removes the index and all that depends on
// it.
func (ix *indexer) mayReplaceIndex(now *folder.PassPlan, index *folder.Index) (bool, error) {
	old, err := ix.Folder.ReadPlan(folder.PassIndex)
	if err != nil || old == nil || folder.IsCompatible(old, now, true) || !old.IsReadable() {
		return false, err
	}
	if ix.Parts > 1 && ix.only != "" && ix.only != folder.PassIndex {
		return false, nil
	}
	for _, p := range ix.Passes {
		done, err := ix.Folder.ListFinished(p.Name)
		if err != nil || p.Reduce == nil && len(done) > 0 {
			return false, err
		}
	}
	ix.warnReplacedIndex(old, now)
	if err := ix.removePasses(0, index); err != nil {
		return false, err
	}
	return true, ix.removeIndex()
}

func (r *Run) warnReplacedIndex(old, now *folder.PassPlan) {
	r.warn(fmt.Sprintf("%s: nothing of pass %s is finished, and its settings are replaced:\n  %s", r.Folder.Dir, old.Pass, strings.Join(folder.ListChanges(old, now), "\n  ")))
}
