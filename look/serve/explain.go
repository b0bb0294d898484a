package serve

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"capgraph/folder"
	"capgraph/stages"
)

// explainer generates the negatives of captions again to show dropped candidates. It keeps a
// stages.Explainer, which has read the vocabulary, until the plan of the folder changes.
type explainer struct {
	mu   sync.Mutex
	plan string // of kept
	kept *stages.Explainer
}

// explain returns what became of each candidate of the row with that key. replies is as in
// stages.NewExplainer.
func (e *explainer) explain(ctx context.Context, f folder.Folder, replies, shard, key string) (_ *stages.Explanation, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	plan, err := f.ReadPlan(folder.PassBalance)
	if err != nil {
		return nil, err
	}
	if earlier, err := isFromEarlierPlan(f, shard); err != nil {
		return nil, err
	} else if earlier {
		return stages.Explain(ctx, f, replies, shard, key)
	}
	if e.kept != nil && plan != nil && e.plan == plan.Hash() {
		return e.kept.Explain(ctx, shard, key)
	}
	x, err := stages.NewExplainer(f, replies)
	if err != nil {
		return nil, err
	}
	if x.UsesReplies() { // close it, since other processes cannot tidy an open cache of replies
		defer func() { err = errors.Join(err, x.Close()) }()
	} else {
		e.plan, e.kept = plan.Hash(), x
	}
	return x.Explain(ctx, shard, key)
}

// isFromEarlierPlan reports whether the texts of a shard were made by an earlier plan, before files
// were added to the folder.
func isFromEarlierPlan(f folder.Folder, shard string) (bool, error) {
	made, err := f.ReadEntry(folder.PassTexts, shard)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	plan, err := f.ReadPlan(folder.PassTexts)
	return plan != nil && plan.Hash() != made.Plan, err
}
