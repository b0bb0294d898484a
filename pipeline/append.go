package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/sources"
)

// newFiles returns the names of the files that the index does not have.
func newFiles(corpus *Corpus, index *folder.Index) []string { return corpus.Names[len(index.Files):] }

// refuseNewFiles returns the error of new files without --append.
func (ix *indexer) refuseNewFiles(names []string) error {
	return usage.Errorf("source.paths names %s that %s not in %s: %s: let them join it with --append, or choose another output.dir",
		text.Counted(len(names), "file", "files"), text.Plural(len(names), "is", "are"), ix.Folder.Dir, text.List(names))
}

// refuseMissingFiles returns the error of --append if the corpus lacks files of the index.
func (ix *indexer) refuseMissingFiles(corpus *Corpus, index *folder.Index) error {
	var gone []string
	for _, f := range index.Files {
		if !slices.ContainsFunc(corpus.Files, func(file sources.File) bool {
			return strings.HasSuffix("/"+cleanName(file.Path), "/"+path.Base(f.Name))
		}) {
			gone = append(gone, f.Name)
		}
	}
	if len(gone) == 0 {
		gone = []string{"those below one folder as they were"}
	}
	return usage.Errorf("--append: source.paths does not name all files that are in %s: %s: name the files of before beside those that are to join", ix.Folder.Dir, text.List(gone))
}

// appendFiles adds new files to the folder: it indexes them and publishes them as the next
// generation. The vocabulary and the weights of balance that existing texts were made with are
// kept. It returns the new index.
func (ix *indexer) appendFiles(ctx context.Context, corpus *Corpus, index *folder.Index, state *folder.State) (*folder.Index, error) {
	names := newFiles(corpus, index)
	if len(names) == 0 {
		ix.warn(fmt.Sprintf("%s has all %s of source.paths: none joins", ix.Folder.Dir, text.Counted(len(index.Files), "file", "files")))
		return index, ix.Folder.RemoveScanResults()
	}
	unfinished, err := ix.firstUnfinishedPass(state)
	if err != nil {
		return nil, err
	}
	if unfinished != "" {
		if joined, err := ix.joinedMeanwhile(corpus, index); err != nil || joined != nil {
			return joined, err
		}
		if ix.only != "" || ix.finishing {
			return nil, &NotReadyError{Pass: "index --append", Needs: unfinished, Missing: []string{"the shards of before"}}
		}
		ix.finishing = true
		ix.warn(fmt.Sprintf("%s is not finished: %s joins when it is", ix.Folder.Dir, text.Counted(len(names), "file", "files")))
		return index, nil
	}
	if err := ix.checkAppend(state); err != nil {
		return nil, err
	}
	files, shards, err := ix.cutIntoShards(ctx, corpus, len(index.Files))
	if err != nil {
		return nil, err
	}
	if err := ix.refuseBadFiles("--append", "no file joined", index.Files, files); err != nil {
		return nil, err
	}
	if err := corpus.nameShards(index, files, shards, ix.Output); err != nil {
		return nil, err
	}
	var grown *folder.Index
	if err = ix.Folder.KeepGeneration(index); err == nil {
		if err := ix.Folder.RecordBuild(folder.PassIndex); err != nil {
			return nil, err
		}
		grown, err = ix.Folder.AppendIndex(index, files, shards)
	}
	if errors.Is(err, folder.ErrJoined) {
		if grown, err = ix.joinedMeanwhile(corpus, index); err == nil && grown == nil {
			err = fmt.Errorf("%s changed while files joined it: run again with --append", ix.Folder.Dir)
		}
	}
	if err != nil {
		return nil, err
	}
	return grown, ix.Folder.RemoveScanResults()
}

// joinedMeanwhile returns the index that another process published after index was read, if it has
// exactly the files of the corpus; nil if no other was published. An index of other files is an
// error.
func (ix *indexer) joinedMeanwhile(corpus *Corpus, index *folder.Index) (*folder.Index, error) {
	now, err := ix.Folder.ReadIndex()
	if err != nil || now.Generations == index.Generations {
		return nil, err
	}
	names := newFiles(corpus, index)
	ordered, found, err := corpus.matchIndex(now)
	if err != nil {
		return nil, err
	}
	if !found || len(newFiles(ordered, now)) > 0 {
		return nil, fmt.Errorf("--append: other files joined %s meanwhile, and not all of %s did: run again with --append, and with source.paths that names those files too", ix.Folder.Dir, text.List(names))
	}
	if err := ordered.checkUnchanged(now); err != nil {
		return nil, err
	}
	ix.warn(fmt.Sprintf("another process let %s join %s meanwhile: this run goes on with its index", text.List(names), ix.Folder.Dir))
	return now, nil
}

// firstUnfinishedPass returns the first pass that is not complete; "" if there is none.
func (ix *indexer) firstUnfinishedPass(state *folder.State) (folder.Pass, error) {
	if state.HasStaleAggregates() {
		return folder.PassCount, nil
	}
	for _, pass := range ix.Passes {
		missing, err := ix.missingInputs(pass, state)
		if err != nil || len(missing) > 0 {
			return pass.Name, err
		}
	}
	return "", nil
}

// checkAppend returns an error if files cannot be appended to the folder.
func (ix *indexer) checkAppend(state *folder.State) error {
	for _, pass := range ix.Passes {
		old, err := state.Plan(pass.Name)
		if err != nil || old == nil {
			return err
		}
		now, err := pass.newPlan(old.Input)
		if err != nil {
			return err
		}
		ofRows := pass.Name == folder.PassParse || pass.Name == folder.PassTally
		if err := ix.Folder.CheckCompatible(old, now, !ofRows); err != nil {
			return err
		}
		if pass.Preflight != nil {
			if err := pass.Preflight(); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeStaleAggregates removes the output of the passes over the whole folder, such as the
// vocabulary, if files were appended later. It returns the state after that.
func (r *Run) removeStaleAggregates(only folder.Pass, state *folder.State) (*folder.State, error) {
	if !state.HasStaleAggregates() {
		return state, nil
	}
	if r.Parts > 1 {
		if r.passIndex(only) >= 0 && r.passIndex(only) < r.passIndex(folder.PassCount) {
			return state, nil
		}
		return nil, usage.Errorf("%s: pass %s was made before files joined: run once with --only index and without --shard, then all parts", r.Folder.Dir, folder.PassCount)
	}
	for _, pass := range r.Passes {
		if pass.Reduce == nil {
			continue
		}
		if err := r.Folder.RemovePass(pass.Name, state.Index); err != nil {
			return nil, err
		}
	}
	return r.Folder.ReadState(state.Index)
}

// warnOfStaleTexts warns of texts that were made before files were appended to the folder.
func (e *executor) warnOfStaleTexts(pass folder.Pass, state *folder.State) error {
	if pass != folder.PassTexts {
		return nil
	}
	earlier, all, err := state.CountStaleTexts()
	if err == nil && earlier > 0 {
		e.warn(fmt.Sprintf("%d of %s of texts/ %s made before files joined, with the counts and the balance that the folder had then: --redo texts makes all anew",
			earlier, text.Counted(all, "shard", "shards"), text.Plural(earlier, "was", "were")))
	}
	return err
}
