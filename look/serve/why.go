package serve

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"capgraph/folder"
	"capgraph/stages"
)

// explainer makes the texts of captions once more. It keeps what it has read for
// that, the vocabulary above all, until the folder is made by another plan.
type explainer struct {
	mu   sync.Mutex
	plan string // that of kept
	kept *stages.Explainer
}

// explain says what became of each candidate of the row of a key. Replies is as in
// stages.NewExplainer.
func (e *explainer) explain(ctx context.Context, f folder.Folder, replies, shard, key string) (_ *stages.Fates, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	plan, err := f.Plan(folder.PassBalance)
	if err != nil {
		return nil, err
	}
	if earlier, err := isFromEarlierPlan(f, shard); err != nil {
		return nil, err
	} else if earlier {
		return stages.Why(ctx, f, replies, shard, key)
	}
	if e.kept != nil && plan != nil && e.plan == plan.Hash() {
		return e.kept.Why(ctx, shard, key)
	}
	x, err := stages.NewExplainer(f, replies)
	if err != nil {
		return nil, err
	}
	if x.Recalls() { // others could not tidy the cache while it is open
		defer func() { err = errors.Join(err, x.Close()) }()
	} else {
		e.plan, e.kept = plan.Hash(), x
	}
	return x.Why(ctx, shard, key)
}

// isFromEarlierPlan tells whether the texts of a shard were made by another plan than that of the
// folder: before files joined it.
func isFromEarlierPlan(f folder.Folder, shard string) (bool, error) {
	made, err := f.Entry(folder.PassTexts, shard)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	plan, err := f.Plan(folder.PassTexts)
	return plan != nil && plan.Hash() != made.Plan, err
}
