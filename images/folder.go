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

// OpenFolder opens a set of image files. An image's name is its path below a folder of o.Paths; the
// first folder that has the file counts. A path that leads out of the folder is an error.
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

// Find implements Set.
func (f *folder) Find(ctx context.Context, _, name string) error {
	_, err := f.findPath(ctx, name)
	return err
}

// Read implements Set.
func (f *folder) Read(ctx context.Context, _, name string, buf []byte) ([]byte, error) {
	name, err := f.findPath(ctx, name)
	if err != nil {
		return nil, err
	}
	file, err := f.store.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := store.CheckPointerAt(file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return readAt(file, name, 0, file.Size(), buf)
}

// findPath returns the path of the file of an image.
func (f *folder) findPath(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("image %q is no path below the folder of images", name)
	}
	for _, dir := range f.dirs {
		at := store.Join(dir, name)
		switch info, err := f.store.Stat(at); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case info.Special: // reading a pipe could block
			return "", fmt.Errorf("%s is no regular file", at)
		default:
			return at, nil
		}
	}
	return "", missingError(name, strings.Join(f.dirs, ", "))
}

func (f *folder) Close() error { return nil }
