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

// Local is the file system of this machine: names are its paths, absolute or
// relative to the current folder. The zero value is ready for use.
type Local struct{}

type localFile struct {
	*os.File
	name string
	size int64
}

// Open opens a regular file, or another file that can be read at offsets.
func (Local) Open(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, explain("open", name, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, explain("open", name, err)
	}
	if info.IsDir() {
		f.Close()
		return nil, explain("open", name, syscall.EISDIR)
	}
	return &localFile{f, name, info.Size()}, nil
}

func (f *localFile) Size() int64 { return f.size }

func (f *localFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.explain(err)
}

func (f *localFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	return n, f.explain(err)
}

// explain leaves the end of the file as it is.
func (f *localFile) explain(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return explain("read", f.name, err)
}

// Stat describes name; links are followed.
func (Local) Stat(name string) (Info, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Info{}, explain("stat", name, err)
	}
	return Info{Name: name, Size: info.Size(), Dir: info.IsDir(), Special: !info.IsDir() && !info.Mode().IsRegular()}, nil
}

// List describes what is in dir. A link that leads nowhere or in a circle is
// listed too: opening it says what is wrong.
func (l Local) List(dir string) ([]Info, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, explain("list", dir, err)
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

// Real resolves links; a link that leads nowhere or in a circle is its own name.
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
	return explain("remove", name, err)
}
