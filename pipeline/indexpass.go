package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"capgraph/folder"
)

// indexPass makes the index if there is none, and else checks that it still matches the corpus.
// It returns the index and the hash of its plan.
func (r *Run) indexPass(ctx context.Context, only folder.Pass, index *folder.Index, state *folder.State) (*folder.Index, string, error) {
	missing := index == nil || r.Redo == folder.PassIndex
	if !missing && only != "" && only != folder.PassIndex && only != r.Passes[0].Name {
		return index, index.Plan, nil
	}
	if missing && r.Parts > 1 && only != "" && only != folder.PassIndex {
		return nil, "", &NotReadyError{Pass: only, Needs: folder.PassIndex, Missing: []string{folder.Whole}}
	}
	corpus, err := r.openCorpus()
	if err != nil {
		return nil, "", r.explainMissingSource(err, missing, index)
	}
	names := corpus.Names
	var joins []string
	if !missing {
		ordered, found, err := corpus.matchIndex(index)
		if err != nil {
			return nil, "", err
		}
		if !found && r.Append {
			return nil, "", r.refuseMissingFiles(corpus, index)
		}
		if found {
			joins = newFiles(ordered, index)
		}
		if found && (len(joins) == 0 || r.Append) {
			corpus, names = ordered, ordered.Names[:index.CountFirstFiles()]
		}
	}
	now, err := r.indexPlan(corpus, names)
	if err != nil {
		return nil, "", err
	}
	if r.Redo != folder.PassIndex && !missing {
		if missing, err = r.mayReplaceIndex(only, now, index); err != nil {
			return nil, "", err
		}
		if missing { // of all files, as if none was
			corpus = r.corpus
			if now, err = r.indexPlan(corpus, corpus.Names); err != nil {
				return nil, "", err
			}
		}
	}
	if !missing && len(joins) > 0 && !r.Append {
		return nil, "", r.refuseNewFiles(joins)
	}
	if r.Redo != folder.PassIndex {
		if _, err := r.Folder.PinPlan(now, !missing); err != nil {
			return nil, "", err
		}
	}
	if missing {
		index, err = r.newIndex(ctx, corpus, now, index)
	} else {
		index, err = r.keepIndex(ctx, only, corpus, index, state)
	}
	if err != nil {
		return nil, "", err
	}
	return index, index.Plan, nil
}

// indexPlan returns the plan of an index whose first files have those names.
func (r *Run) indexPlan(corpus *Corpus, names []string) (*folder.PassPlan, error) {
	pass := &Pass{Name: folder.PassIndex, Settings: corpus.indexSettings(r.Output, names)}
	return pass.newPlan("")
}

// keepIndex checks that the files of an index have not changed, scans broken ones again, and adds
// new files with --append. It returns the resulting index.
func (r *Run) keepIndex(ctx context.Context, only folder.Pass, corpus *Corpus, index *folder.Index, state *folder.State) (*folder.Index, error) {
	if err := corpus.findKeptTypes(ctx, index); err != nil {
		return nil, err
	}
	if err := r.rereadMended(ctx, corpus, index); err != nil {
		return nil, err
	}
	if err := corpus.checkUnchanged(index); err != nil {
		return nil, err
	}
	if r.Append {
		return r.appendFiles(ctx, only, corpus, index, state)
	}
	if r.Parts > 1 {
		return index, nil
	}
	return index, r.Folder.RemoveScanResults()
}

// newIndex makes the index by the plan now in place of old, which is nil if there is none.
func (r *Run) newIndex(ctx context.Context, corpus *Corpus, now *folder.PassPlan, old *folder.Index) (*folder.Index, error) {
	made, err := r.indexCorpus(ctx, corpus)
	if err != nil {
		return nil, err
	}
	made.Plan = now.Hash()
	if r.Redo == folder.PassIndex {
		if err := r.removeForIndex(made, old); err != nil {
			return nil, err
		}
		if _, err := r.Folder.PinPlan(now, false); err != nil {
			return nil, err
		}
	}
	if err := r.Folder.RecordBuild(folder.PassIndex); err != nil {
		return nil, err
	}
	if err := r.Folder.PublishJSON(folder.IndexFile, made); err != nil {
		return nil, err
	}
	r.warnOfSmallShards(made)
	return made, r.Folder.RemoveScanResults()
}

// explainMissingSource adds a hint to a "source not found" error if the pass that reads the source
// is already finished.
func (r *Run) explainMissingSource(err error, missing bool, index *folder.Index) error {
	if missing || r.Redo != "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	first, last := r.Passes[0], r.Passes[len(r.Passes)-1]
	if state, failed := r.Folder.ReadState(index); failed != nil || !state.IsComplete(first.Name) {
		return err
	}
	return fmt.Errorf("%w; pass %s is finished: --only with a later pass, as --only %s, does without its source", err, first.Name, last.Name)
}

// readIndex reads the index; nil if there is none.
func (r *Run) readIndex() (*folder.Index, error) {
	index, err := r.Folder.ReadIndex()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return index, err
}

// rereadMended scans the files again that could not be read when the corpus was indexed. One that
// is whole now and makes one shard replaces its entry in the index. No shard changes its name.
func (r *Run) rereadMended(ctx context.Context, corpus *Corpus, index *folder.Index) error {
	for at := range index.Files {
		if index.Files[at].Error == "" {
			continue
		}
		was := index.Files[at]
		more, err := corpus.rescanFile(ctx, index, at, r.Output, r.Progress)
		if err != nil {
			return err
		}
		if more || index.Files[at] != was {
			if err := r.Folder.RecordBuild(folder.PassIndex); err != nil {
				return err
			}
			if err := r.Folder.ReplaceIndex(index, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Run) openCorpus() (*Corpus, error) {
	if r.corpus != nil {
		return r.corpus, nil
	}
	var err error
	r.corpus, err = r.Corpus()
	return r.corpus, err
}
