package folder

import (
	"errors"
	"io/fs"
	"slices"
)

// HasOutput reports whether any pass has a plan or an entry.
func (f Folder) HasOutput() (bool, error) {
	for _, dir := range []string{plansDir, entriesDir} {
		if left, err := f.ListNames(dir); err != nil || len(left) > 0 {
			return true, err
		}
	}
	return false, nil
}

// RemovePass removes the output of a pass. Entries go first, so that a shard which is removed in
// part counts as not finished, and the plan last.
func (f Folder) RemovePass(pass Pass, index *Index) error {
	done, err := f.ListFinished(pass)
	if err != nil {
		return err
	}
	for _, dir := range perPass {
		if err := f.removeFiles(passFile(dir, pass, "")); err != nil {
			return err
		}
	}
	if pass == PassTexts {
		if err := f.removeGenerations(); err != nil {
			return err
		}
	}
	var names []string
	for _, p := range Passes {
		if p.Pass == pass {
			for _, name := range slices.Concat(p.Files, p.Former) {
				names = append(names, ReducedFile(name))
			}
		}
	}
	if pass.Output() != "" {
		for shard := range done {
			names = append(names, DataFile(pass, shard))
		}
		if index != nil {
			for _, s := range index.Shards {
				names = append(names, DataFile(pass, s.Name))
			}
		}
	}
	for _, name := range append(names, PlanFile(pass)) {
		if err := f.RemoveFile(name); err != nil {
			return err
		}
	}
	return nil
}

// removeFiles removes the files directly in the subfolder dir, if it exists.
func (f Folder) removeFiles(dir string) error {
	infos, err := f.Store.List(f.Path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, info := range infos {
		if info.Dir {
			continue
		}
		if err := f.storeWithin().Remove(info.Name); err != nil {
			return err
		}
	}
	return nil
}

// RemoveTasks removes the entries of the tasks of a pass over the whole folder, and the runs that
// they exchanged. done are the names of all entries of the pass.
func (f Folder) RemoveTasks(pass Pass, done map[string]bool) error {
	for shard := range done {
		if shard == Whole {
			continue
		}
		if err := f.RemoveFile(EntryFile(pass, shard)); err != nil {
			return err
		}
	}
	runs, err := f.Store.List(f.Path(passFile("runs", pass, "")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, info := range runs {
		err = errors.Join(err, f.storeWithin().Remove(info.Name))
	}
	return err
}

// Sweep removes the temporary files of runs that were killed.
func (f Folder) Sweep() error {
	dirs := []string{".", MetaDir, plansDir, scannedDir, tempDir, BuildsDir(PassIndex)}
	for _, row := range Passes {
		for _, dir := range perPass {
			dirs = append(dirs, passFile(dir, row.Pass, ""))
		}
		if row.Output != "" {
			dirs = append(dirs, row.Output)
		}
	}
	kept, err := f.listGenerationDirs()
	if err != nil {
		return err
	}
	for _, dir := range append(dirs, kept...) {
		if _, err := f.storeWithin().Sweep(f.Path(dir)); err != nil {
			return err
		}
	}
	return nil
}
