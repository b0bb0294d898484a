package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"capgraph/folder"
	"capgraph/internal/text"
)

// warnIfIncomplete warns if passes of a run's folder are not complete. It ignores other folders, and
// files.
func (s streams) warnIfIncomplete(dir string, passes ...folder.Pass) {
	state, err := folder.Folder{Store: s.files, Dir: dir}.Read()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			s.warn(err.Error())
		}
		return
	}
	warned := 0
	for _, pass := range passes {
		if err := state.CheckComplete(pass); err != nil {
			s.warn(err.Error())
		}
		if failed := len(state.Failed(pass)); failed > warned { // shards that failed in a pass are missing in the next passes too
			s.warn(fmt.Sprintf("%s: pass %s is without %d %s that failed", dir, pass, failed, text.Plural(failed, "shard", "shards")))
			warned = failed
		}
	}
}

// runFolder returns the folder of a run, given that folder or the output of a pass in it.
func runFolder(path string, pass folder.Pass) string {
	if path = filepath.Clean(path); filepath.Base(path) == pass.Output() {
		return filepath.Dir(path)
	}
	return path
}

// warnAboutForeign warns about Parquet files in the output folder of a pass, or in folders below it, that the run did not write. It ignores hidden files and folders.
func (s streams) warnAboutForeign(dir string, pass folder.Pass) {
	run := folder.Folder{Store: s.files, Dir: dir}
	state, err := run.Read()
	if err != nil {
		return
	}
	var foreign []string
	root := run.Path(pass.Output())
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := file != root && strings.Contains("._", d.Name()[:1])
		shard, isParquet := strings.CutSuffix(d.Name(), ".parquet")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir(), hidden, !isParquet, state.IsFinished(pass, folder.Shard{Name: shard}) && file == filepath.Join(root, d.Name()):
			return nil
		}
		foreign = append(foreign, file)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.warn(err.Error())
	}
	if n := len(foreign); n > 0 {
		s.warn(fmt.Sprintf("%s %s read, and no entry of pass %s names %s: run again to finish %s, or move %s to another folder", text.List(foreign),
			text.Plural(n, "is", "are"), pass, text.Plural(n, "it", "them"), text.Plural(n, "its shard", "their shards"), text.Plural(n, "it", "them")))
	}
}
