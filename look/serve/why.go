package serve

import (
	"context"
	"errors"
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

// why says what became of each candidate of the row of a key. Replies is as in
// stages.NewExplainer.
func (e *explainer) why(ctx context.Context, f folder.Folder, replies, shard, key string) (_ *stages.Fates, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	plan, err := f.Plan(folder.PassBalance)
	if err != nil {
		return nil, err
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
