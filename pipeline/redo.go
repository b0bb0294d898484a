package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Redo removes the outputs of a pass and of those after it, so that they are
// made again.
func (r *Run) Redo(name string) error {
	names := []string{PassIndex}
	for _, p := range r.Passes {
		names = append(names, p.Name)
	}
	at := slices.Index(names, name)
	if at < 0 {
		return &UsageError{fmt.Sprintf("--redo %s: no such pass: they are %v", name, names)}
	}
	for i := len(names) - 1; i >= max(at, 1); i-- {
		if err := r.Folder.removePass(r.Passes[i-1]); err != nil {
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

// removePass removes the entries of a pass first, so that what is half removed
// counts as not done.
func (f Folder) removePass(p *Pass) error {
	dirs := []string{path.Join(meta, "entries", p.Name), path.Join(meta, "failed", p.Name)}
	if p.Output != "" {
		dirs = append(dirs, p.Output, path.Join(meta, "rejects", p.Name), path.Join(meta, "counts", p.Name))
	}
	for _, dir := range dirs {
		infos, err := f.Store.List(f.Path(dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
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
	for _, name := range append(p.reduced(), planName(p.Name)) {
		if err := f.Store.Remove(f.Path(name)); err != nil {
			return err
		}
	}
	return nil
}
