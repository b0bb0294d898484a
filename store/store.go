// Package store is how capgraph reaches files: list, open, stat, and publish a
// finished file under a name that did not exist. Stages and readers see this
// interface alone, so that a store other than the local file system can stand
// in for it.
//
// A file comes into being in two steps. Create opens a temporary file beside
// its final name; Publish makes its bytes durable and gives it that name, if
// nobody else did before. A name that exists is therefore always a whole file.
// The few files that change are replaced: their name leads to the old file until
// it leads to the new one. What a process that died left behind carries the
// prefix TempPrefix and is removed by Sweep; the temporary files of processes
// that live are left alone.
package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// TempPrefix begins the base name of every temporary file.
const TempPrefix = ".tmp-"

// ErrExists is what Publish and CreateNew return, wrapped, when the name is taken.
var ErrExists = errors.New("exists already")

// Info describes one file or folder. Name is its whole name, as List and Stat
// were asked for it; Size is in bytes. Special is neither a regular file nor a
// folder: a pipe, a socket or a device. Direct, of List, says that it is no link: its real name is
// that of its folder, and its own in it.
type Info struct {
	Name    string
	Size    int64
	Dir     bool
	Special bool
	Direct  bool
}

// File is an open file. Its methods are those of *os.File; ReadAt is safe for
// concurrent use.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	// Size is the length in bytes when the file was opened.
	Size() int64
}

// Temp is a file that is being written and has no name of its own yet.
type Temp interface {
	io.Writer
	// ReadAt reads what was written, until Publish or Discard.
	io.ReaderAt
	// Name is the name that Publish will give it.
	Name() string
	// Publish makes the bytes durable and gives them Name, then closes. When
	// the name is taken, the error wraps ErrExists and the taken file is as it
	// was. After any error the temporary file is gone, unless the process dies.
	Publish() error
	// Replace is Publish in place of the file of that name, if there is one.
	Replace() error
	// Discard removes the temporary file. It does nothing after Publish, so
	// that it can be deferred.
	Discard() error
}

// Store holds files by slash-separated names. Errors name the file and what to
// do; those of a missing file wrap fs.ErrNotExist. All methods are safe for
// concurrent use.
type Store interface {
	// Open opens a file for reading; a folder is an error.
	Open(name string) (File, error)
	// Stat describes a file or a folder.
	Stat(name string) (Info, error)
	// List describes what is directly in a folder, sorted by the bytes of the
	// names. Temporary files are left out.
	List(dir string) ([]Info, error)
	// Real is the one name of a file, however it is spelled and whatever links
	// lead to it.
	Real(name string) string
	// Create begins a file and makes the folders that it lies in.
	Create(name string) (Temp, error)
	// Remove removes a file; one that is not there is no error.
	Remove(name string) error
	// Sweep removes from a folder the temporary files of processes that are
	// gone and returns how many. A folder that is not there holds none.
	Sweep(dir string) (int, error)
	// SweepFor is Sweep of what was to become the file name, and of nothing else in
	// its folder, as far as that can be listed.
	SweepFor(name string) (int, error)
}

// ReadFile returns the whole of a file of at most limit bytes.
func ReadFile(s Store, name string, limit int64) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("file is larger than expected")}
	}
	return data, nil
}

// CreateNew begins a file like Create, but is an error that wraps ErrExists where
// the name is taken, so that this is known before the work, not at Publish. What
// processes that are gone left of the file is removed.
func CreateNew(s Store, name string) (Temp, error) {
	_, err := s.Stat(name)
	if err == nil {
		return nil, fmt.Errorf("create %s: %w (remove it or choose another name)", name, ErrExists)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if _, err := s.SweepFor(name); err != nil {
		return nil, err
	}
	return s.Create(name)
}

// WriteFile publishes data under name; the error wraps ErrExists when the name
// is taken.
func WriteFile(s Store, name string, data []byte) error {
	return write(s, name, data, Temp.Publish)
}

// ReplaceFile makes data what is under name.
func ReplaceFile(s Store, name string, data []byte) error {
	return write(s, name, data, Temp.Replace)
}

func write(s Store, name string, data []byte, finish func(Temp) error) error {
	t, err := s.Create(name)
	if err != nil {
		return err
	}
	defer t.Discard()
	if _, err := t.Write(data); err != nil {
		return err
	}
	return finish(t)
}
