package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"capgraph/folder"
	"capgraph/internal/plural"
	"capgraph/store"
)

// warnUnlessWhole tells what the folder of a run lacks of passes; of another folder, or
// a file, it tells nothing.
func (s streams) warnUnlessWhole(dir string, passes ...string) {
	told := 0
	for _, pass := range passes {
		failed, err := folder.Folder{Store: store.Local{}, Dir: dir}.Whole(pass)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			s.warn(err.Error())
		}
		if failed > told { // a pass lacks what the one before lacks
			s.warn(fmt.Sprintf("%s: pass %s is without %d %s that failed", dir, pass, failed, plural.Of(failed, "shard", "shards")))
			told = failed
		}
	}
}

// runOf is the folder of a run that a path is of: the run's own, or that of its output.
func runOf(path, output string) string {
	if path = filepath.Clean(path); filepath.Base(path) == output {
		return filepath.Dir(path)
	}
	return path
}

// warnOfForeign tells which Parquet files in the output of a pass the run of a folder did
// not make; of another folder, or a file, it tells nothing.
func (s streams) warnOfForeign(dir, pass, output string) {
	run := folder.Folder{Store: store.Local{}, Dir: dir}
	if _, err := run.Index(); err != nil {
		return
	}
	done, err := run.Done(pass)
	if err != nil {
		s.warn(err.Error())
		return
	}
	var foreign []string
	root := run.Path(output)
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := file != root && strings.Contains("._", d.Name()[:1])
		shard, isParquet := strings.CutSuffix(d.Name(), ".parquet")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir(), hidden, !isParquet, done[shard] && file == filepath.Join(root, d.Name()):
			return nil
		}
		foreign = append(foreign, file)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.warn(err.Error())
	}
	if n := len(foreign); n > 0 {
		s.warn(fmt.Sprintf("%s %s read, and no entry of pass %s names %s: run again to finish %s, or move %s to another folder", plural.Some(foreign),
			plural.Of(n, "is", "are"), pass, plural.Of(n, "it", "them"), plural.Of(n, "its shard", "their shards"), plural.Of(n, "it", "them")))
	}
}
