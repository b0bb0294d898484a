package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"capgraph/store"
)

// Redo removes the outputs of a pass and of those after it, so that they are
// made again, and no other file of the folder.
func (r *Run) Redo(name string) error {
	names := []string{PassIndex}
	for _, p := range r.Passes {
		names = append(names, p.Name)
	}
	at := slices.Index(names, name)
	if at < 0 {
		return &UsageError{fmt.Sprintf("--redo %s: no such pass: they are %v", name, names)}
	}
	index, err := r.begun(name)
	if err != nil {
		return err
	}
	for i := len(names) - 1; i >= max(at, 1); i-- {
		if err := r.Folder.removePass(r.Passes[i-1], index); err != nil {
			return err
		}
	}
	if at == 0 {
		for _, file := range []string{indexName, planName(PassIndex), partsName} {
			if err := r.Folder.Store.Remove(r.Folder.Path(file)); err != nil {
				return err
			}
		}
	}
	return nil
}

// begun is the index of a folder that a run began; one without shards where it
// is not there any more, or damaged and to be replaced.
func (r *Run) begun(redo string) (*Index, error) {
	index, err := r.knownIndex()
	if err != nil && redo == PassIndex && !store.OfMachine(err) {
		return &Index{}, nil
	}
	if index != nil || err != nil {
		return index, err
	}
	plans, err := r.Folder.names(plansDir)
	if err != nil {
		return nil, err
	}
	if len(plans) == 0 {
		return nil, &UsageError{fmt.Sprintf("--redo %s: %s has neither an index nor a plan, so no run began there: check output.dir, or run without --redo", redo, r.Folder.Dir)}
	}
	return &Index{}, nil
}

// removePass removes what a pass made of shards that are done or in the index:
// the entries first, so that what is half removed counts as not done, and the
// plan last.
func (f Folder) removePass(p *Pass, index *Index) error {
	done, err := f.Done(p.Name)
	if err != nil {
		return err
	}
	for _, dir := range []string{"entries", "failed", "rejects", "counts"} {
		infos, err := f.Store.List(f.Path(meta, dir, p.Name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, info := range infos {
			if info.Dir {
				continue
			}
			if err := f.Store.Remove(info.Name); err != nil {
				return err
			}
		}
	}
	names := p.reduced()
	if p.Output != "" {
		for shard := range done {
			names = append(names, Data(p.Output, shard))
		}
		for _, s := range index.Shards {
			names = append(names, Data(p.Output, s.Name))
		}
	}
	for _, name := range append(names, planName(p.Name)) {
		if err := f.Store.Remove(f.Path(name)); err != nil {
			return err
		}
	}
	return nil
}
