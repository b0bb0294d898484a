package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"capgraph/store"
)

// maxMeta is the largest size in bytes of a manifest file that is read.
const maxMeta = 1 << 30

// ReadJSON decodes a file of the folder into v. The error wraps fs.ErrNotExist if there is none.
func (f Folder) ReadJSON(name string, v any) error {
	data, err := store.ReadFile(f.Store, f.Path(name), maxMeta)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return f.damagedError(name, err)
	}
	return nil
}

// damagedError returns the error of a bookkeeping file with wrong content. Its remedy does not
// replace an index, since another index might not fit the files that exist.
func (f Folder) damagedError(name string, err error) error {
	remedy := "remove it and run again"
	if strings.HasPrefix(name, MetaDir+"/index") {
		remedy = "run again with --redo index"
	}
	return fmt.Errorf("%s is damaged: %w (%s)", f.Path(name), err, remedy)
}

// PublishJSON writes v under name. If the file exists, it must have the same bytes.
func (f Folder) PublishJSON(name string, v any) error {
	data, err := marshalIndented(v)
	if err != nil {
		return err
	}
	t, err := f.CreateFile(name)
	if err != nil {
		return err
	}
	defer t.Discard()
	if _, err := t.Write(data); err != nil {
		return err
	}
	_, err = t.Publish()
	return err
}

// ReplaceJSON writes v under name, even if the file exists.
func (f Folder) ReplaceJSON(name string, v any) error {
	data, err := marshalIndented(v)
	if err != nil {
		return err
	}
	return f.ReplaceFile(name, data)
}

func marshalIndented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

// ListNames returns the base names, without extension, of the files in the subfolder dir; none if
// it does not exist.
func (f Folder) ListNames(dir string) (map[string]bool, error) {
	sizes, err := f.listSizes(dir)
	names := make(map[string]bool, len(sizes))
	for name := range sizes {
		names[name] = true
	}
	return names, err
}

// listSizes returns the sizes of the files in the subfolder dir, by base name without extension.
func (f Folder) listSizes(dir string) (map[string]int64, error) {
	infos, err := f.Store.List(f.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sizes := make(map[string]int64, len(infos))
	for _, info := range infos {
		base := path.Base(info.Name)
		sizes[base[:len(base)-len(path.Ext(base))]] = info.Size
	}
	return sizes, nil
}

// Exists reports whether the folder has a file of that name.
func (f Folder) Exists(name string) (bool, error) {
	_, err := f.Store.Stat(f.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
