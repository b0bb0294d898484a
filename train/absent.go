package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
)

// AbsentFile is the name, in the output folder, of the list of images that did not exist before the
// first step. A training that resumes skips the same images, so that its batches are the same as
// without the interruption.
const AbsentFile = "absent.json"

// maxAbsent is the maximum size of the file, in bytes.
const maxAbsent = 1 << 30

// readAbsent returns the images that a resumed training skips. It returns nil for a new training,
// which looks for missing images itself.
func (t *training) readAbsent() (loader.Absent, error) {
	steps, err := checkpoint.Steps(t.store, t.recipe.checkpointsDir())
	if err != nil || len(steps) == 0 {
		return nil, err
	}
	name := store.Join(t.recipe.Output.Dir, AbsentFile)
	data, err := store.ReadFile(t.store, name, maxAbsent)
	if errors.Is(err, fs.ErrNotExist) { // no image was missing, or an earlier version of capgraph, without this file, began the training
		return loader.Absent{}, nil
	}
	if err != nil {
		return nil, err
	}
	absent := loader.Absent{}
	if err := json.Unmarshal(data, &absent); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: bring it back, or set output.dir to another folder", name, err)
	}
	return absent, nil
}

// writeAbsent writes the list of images that the training skips. If there are none, it removes the
// file of an earlier training.
func (t *training) writeAbsent() error {
	name := store.Join(t.recipe.Output.Dir, AbsentFile)
	if len(t.absent) == 0 {
		return t.store.Remove(name)
	}
	data, err := json.Marshal(t.absent)
	if err != nil {
		return err
	}
	return store.WriteFile(t.store, name, append(data, '\n'))
}
