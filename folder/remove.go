package folder

import (
	"errors"
	"io/fs"
	"path"
)

// begun tells whether a plan or an entry of any pass is there.
func (f Folder) Begun() (bool, error) {
	for _, dir := range []string{PlansDir, entriesDir} {
		if left, err := f.Names(dir); err != nil || len(left) > 0 {
			return true, err
		}
	}
	return false, nil
}

// remove removes what a pass made of shards that are done or in the index:
// the entries first, so that what is half removed counts as not done, and the
// plan last.
func (f Folder) Remove(pass, output string, reduced []string, index *Index) error {
	done, err := f.Done(pass)
	if err != nil {
		return err
	}
	for _, dir := range []string{"entries", "failed", "rejects", "counts"} {
		infos, err := f.Store.List(f.Path(MetaDir, dir, pass))
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
	var names []string
	for _, name := range reduced {
		names = append(names, Reduced(name))
	}
	if output != "" {
		for shard := range done {
			names = append(names, Data(output, shard))
		}
		if index != nil {
			for _, s := range index.Shards {
				names = append(names, Data(output, s.Name))
			}
		}
	}
	for _, name := range append(names, PlanFile(pass)) {
		if err := f.Store.Remove(f.Path(name)); err != nil {
			return err
		}
	}
	return nil
}

func (f Folder) SweepPass(pass, output string) error {
	dirs := []string{}
	for _, dir := range []string{"entries", "failed", "rejects", "counts"} {
		dirs = append(dirs, path.Join(MetaDir, dir, pass))
	}
	if output != "" {
		dirs = append(dirs, output)
	}
	return f.Sweep(dirs...)
}

// sweep removes what runs that were killed left behind in folders below.
func (f Folder) Sweep(dirs ...string) error {
	for _, dir := range dirs {
		if _, err := f.Store.Sweep(f.Path(dir)); err != nil {
			return err
		}
	}
	return nil
}
