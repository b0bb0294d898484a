package folder

import (
	"errors"
	"io/fs"
)

// HasOutput tells whether a plan or an entry of any pass is there.
func (f Folder) HasOutput() (bool, error) {
	for _, dir := range []string{plansDir, entriesDir} {
		if left, err := f.ListNames(dir); err != nil || len(left) > 0 {
			return true, err
		}
	}
	return false, nil
}

// RemovePass removes what a pass made of shards that are done or in the index:
// the entries first, so that what is half removed counts as not done, and the
// plan last.
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
	for _, name := range pass.Files() {
		names = append(names, ReducedFile(name))
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

// removeFiles removes the files directly in a folder below, if it is there.
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

// RemoveTasks removes the entries of a pass over the whole folder but that of the whole,
// which are among done, and the runs that its tasks handed on to each other.
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

// Sweep removes what runs that were killed left behind.
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
