package images

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"capgraph/store"
)

type folder struct {
	store store.Store
	dirs  []string
}

// OpenFolder opens images that are files of their own. Names are paths below one
// of the folders that o.Paths names, the first that has the file; one that leads
// out of it is an error.
func OpenFolder(s store.Store, o Options) (Set, error) {
	infos, err := expandPaths(s, o.Paths)
	if err != nil {
		return nil, err
	}
	f := &folder{store: s}
	for _, info := range infos {
		if !info.Dir {
			return nil, fmt.Errorf("%s is no folder of images: name the folder, or say which format it is", info.Name)
		}
		f.dirs = append(f.dirs, info.Name)
	}
	return f, nil
}

func (f *folder) Read(ctx context.Context, _, name string, buf []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsRune(name, 0) {
		return nil, fmt.Errorf("image %q is no path below the folder of images", name)
	}
	for _, dir := range f.dirs {
		data, err := f.read(store.Join(dir, name), buf)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, missingError(name, strings.Join(f.dirs, ", "))
}

func (f *folder) read(name string, buf []byte) ([]byte, error) {
	info, err := f.store.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Special { // a pipe would be waited for
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	file, err := f.store.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAt(file, name, 0, file.Size(), buf)
}

func (f *folder) Close() error { return nil }
