package train

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"capgraph/store"
	"capgraph/train/metrics"
)

// boardDir is the subfolder of the output folder for TensorBoard's files.
const boardDir = "tensorboard"

// journal is the local folder for files that grow during a training: metrics.jsonl, tensorboard/
// and left_out.tsv. It is output.dir itself or, if that is in an object store, a temporary folder
// whose files are uploaded with each checkpoint.
type journal struct {
	store  store.Store
	dir    string
	output string // output.dir in the object store; empty if dir is output.dir
}

// openJournal creates the folder. If output.dir is in an object store, it downloads the files of
// earlier runs if the training is resumed, and otherwise removes the event files of an earlier
// training.
func openJournal(s store.Store, r *Recipe, resumed bool) (*journal, error) {
	if dir, local := store.LocalPath(r.Output.Dir); local {
		return &journal{dir: dir}, os.MkdirAll(filepath.FromSlash(dir), 0o777)
	}
	dir, err := os.MkdirTemp(r.Store.Scratch, "capgraph-train-")
	if err != nil {
		return nil, fmt.Errorf("scratch folder: %w (name another with store.scratch or TMPDIR)", err)
	}
	j := &journal{store: s, dir: dir, output: r.Output.Dir}
	if resumed {
		err = errors.Join(j.fetchFile(metrics.LinesFile), j.fetchFile(LeftOutFile))
	} else {
		err = j.removeEventFiles()
	}
	if err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

// fetchFile downloads a file from the object store to the folder, if it exists.
func (j *journal) fetchFile(name string) error {
	from, err := j.store.Open(store.Join(j.output, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(j.dir, name))
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// removeEventFiles removes TensorBoard's files from the object store.
func (j *journal) removeEventFiles() error {
	boards, err := j.store.List(store.Join(j.output, boardDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, b := range boards {
		if ok, _ := path.Match("events.out.tfevents.*.capgraph", path.Base(b.Name)); ok {
			err = errors.Join(err, j.store.Remove(b.Name))
		}
	}
	return err
}

// upload copies the files of the folder to the object store.
func (j *journal) upload() error {
	if j.output == "" {
		return nil
	}
	return filepath.WalkDir(j.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(j.dir, file)
		if err != nil {
			return err
		}
		from, err := os.Open(file)
		if err != nil {
			return err
		}
		defer from.Close()
		to, err := j.store.Create(store.Join(j.output, filepath.ToSlash(name)))
		if err != nil {
			return err
		}
		defer to.Discard()
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
		return to.Replace()
	})
}

// close removes the temporary folder.
func (j *journal) close() error {
	if j.output == "" {
		return nil
	}
	return os.RemoveAll(j.dir)
}
