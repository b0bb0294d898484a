package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Local is the file system of this machine. Names are its paths, absolute or relative to the
// current folder. The zero value is ready for use.
type Local struct{}

type localFile struct {
	*os.File
	name string
	size int64
}

// Open opens a regular file, or another one that supports reads at offsets.
func (Local) Open(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, explainError("open", name, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, explainError("open", name, err)
	}
	if info.IsDir() {
		f.Close()
		return nil, explainError("open", name, syscall.EISDIR)
	}
	return &localFile{f, name, info.Size()}, nil
}

func (f *localFile) Size() int64 { return f.size }

func (f *localFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.explainRead(err)
}

func (f *localFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	return n, f.explainRead(err)
}

// explainRead explains an error as explainError does, but returns io.EOF unchanged.
func (f *localFile) explainRead(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return explainError("read", f.name, err)
}

// Stat describes the file or folder name. It follows links.
func (Local) Stat(name string) (Info, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Info{}, explainError("stat", name, err)
	}
	return Info{Name: name, Size: info.Size(), Dir: info.IsDir(), Special: !info.IsDir() && !info.Mode().IsRegular()}, nil
}

// List describes the entries of dir, including broken links. Opening one of these is an error that says so.
func (l Local) List(dir string) ([]Info, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, explainError("list", dir, err)
	}
	infos := make([]Info, 0, len(entries))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), TempPrefix) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		info, err := l.Stat(name)
		if err != nil && e.Type()&fs.ModeSymlink != 0 {
			info, err = Info{Name: name}, nil
		}
		if errors.Is(err, fs.ErrNotExist) { // removed since
			continue
		}
		if err != nil {
			return nil, err
		}
		info.Direct = e.Type()&fs.ModeSymlink == 0
		infos = append(infos, info)
	}
	return infos, nil
}

// Real returns name with all symbolic links resolved. A broken link is returned unchanged.
func (Local) Real(name string) string {
	if whole, err := filepath.Abs(name); err == nil {
		name = whole
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return name
}

// Remove removes the file name.
func (Local) Remove(name string) error {
	err := os.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explainError("remove", name, err)
}
