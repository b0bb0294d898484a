package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"capgraph/folder"
)

// indexer makes and updates the index of a folder.
type indexer struct{ *Run }

// indexPass makes the index if there is none, else it checks that the index still matches the
// corpus. It returns the index and the hash of its plan.
func (ix *indexer) indexPass(ctx context.Context, index *folder.Index, state *folder.State) (*folder.Index, string, error) {
	missing := index == nil || ix.Redo == folder.PassIndex
	if !missing && ix.only != "" && ix.only != folder.PassIndex && ix.only != ix.Passes[0].Name {
		return index, index.Plan, nil
	}
	if missing && ix.Parts > 1 && ix.only != "" && ix.only != folder.PassIndex {
		return nil, "", &NotReadyError{Pass: ix.only, Needs: folder.PassIndex, Missing: []string{folder.Whole}}
	}
	corpus, err := ix.openCorpus()
	if err != nil {
		return nil, "", ix.explainMissingSource(err, missing, index)
	}
	names := corpus.Names
	var joins []string
	if !missing {
		ordered, found, err := corpus.matchIndex(index)
		if err != nil {
			return nil, "", err
		}
		if !found && ix.Append {
			return nil, "", ix.refuseMissingFiles(corpus, index)
		}
		if found {
			joins = newFiles(ordered, index)
		}
		if found && (len(joins) == 0 || ix.Append) {
			corpus, names = ordered, ordered.Names[:index.CountFirstFiles()]
		}
	}
	now, err := ix.indexPlan(corpus, names)
	if err != nil {
		return nil, "", err
	}
	if ix.Redo != folder.PassIndex && !missing {
		if missing, err = ix.tryReplaceIndex(now, index); err != nil {
			return nil, "", err
		}
		if missing { // the new index has all files, in their own order
			corpus = ix.corpus
			if now, err = ix.indexPlan(corpus, corpus.Names); err != nil {
				return nil, "", err
			}
		}
	}
	if !missing && len(joins) > 0 && !ix.Append {
		return nil, "", ix.refuseNewFiles(joins)
	}
	if ix.Redo != folder.PassIndex {
		if _, err := ix.Folder.PinPlan(now, !missing); err != nil {
			return nil, "", err
		}
	}
	if missing {
		index, err = ix.newIndex(ctx, corpus, now, index)
	} else {
		index, err = ix.keepIndex(ctx, corpus, index, state)
	}
	if err != nil {
		return nil, "", err
	}
	return index, index.Plan, nil
}

// indexPlan returns the plan of an index whose first files are called names.
func (ix *indexer) indexPlan(corpus *Corpus, names []string) (*folder.PassPlan, error) {
	pass := &Pass{Name: folder.PassIndex, Settings: corpus.indexSettings(ix.Output, names)}
	return pass.newPlan("")
}

// keepIndex checks that the files of an index have not changed, scans broken ones again, and adds
// new files with --append. It returns the resulting index.
func (ix *indexer) keepIndex(ctx context.Context, corpus *Corpus, index *folder.Index, state *folder.State) (*folder.Index, error) {
	if err := corpus.findKeptTypes(ctx, index); err != nil {
		return nil, err
	}
	if err := ix.rereadMended(ctx, corpus, index); err != nil {
		return nil, err
	}
	if err := corpus.checkUnchanged(index); err != nil {
		return nil, err
	}
	if ix.Append {
		return ix.appendFiles(ctx, corpus, index, state)
	}
	if ix.Parts > 1 {
		return index, nil
	}
	return index, ix.Folder.RemoveScanResults()
}

// newIndex makes the index with the plan now, and replaces old, which is nil if there is none.
func (ix *indexer) newIndex(ctx context.Context, corpus *Corpus, now *folder.PassPlan, old *folder.Index) (*folder.Index, error) {
	made, err := ix.indexCorpus(ctx, corpus)
	if err != nil {
		return nil, err
	}
	made.Plan = now.Hash()
	if ix.Redo == folder.PassIndex {
		if err := ix.removeForIndex(made, old); err != nil {
			return nil, err
		}
		if _, err := ix.Folder.PinPlan(now, false); err != nil {
			return nil, err
		}
	}
	if err := ix.Folder.RecordBuild(folder.PassIndex); err != nil {
		return nil, err
	}
	if err := ix.Folder.PublishJSON(folder.IndexFile, made); err != nil {
		return nil, err
	}
	ix.warnOfSmallShards(made)
	return made, ix.Folder.RemoveScanResults()
}

// explainMissingSource adds a hint to a "source not found" error if the pass that reads the source
// is already finished.
func (ix *indexer) explainMissingSource(err error, missing bool, index *folder.Index) error {
	if missing || ix.Redo != "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	first, last := ix.Passes[0], ix.Passes[len(ix.Passes)-1]
	if state, failed := ix.Folder.ReadState(index); failed != nil || !state.IsComplete(first.Name) {
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

// rereadMended scans the files again that could not be read when the corpus was indexed. If a file
// can be read now and makes one shard, it replaces its entry in the index. No shard changes its
// name.
func (ix *indexer) rereadMended(ctx context.Context, corpus *Corpus, index *folder.Index) error {
	for at := range index.Files {
		if index.Files[at].Error == "" {
			continue
		}
		was := index.Files[at]
		more, err := corpus.rescanFile(ctx, index, at, ix.Output, ix.Progress)
		if err != nil {
			return err
		}
		if more || index.Files[at] != was {
			if err := ix.Folder.RecordBuild(folder.PassIndex); err != nil {
				return err
			}
			if err := ix.Folder.ReplaceIndex(index, at); err != nil {
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
