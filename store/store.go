// Package store is how capgraph reads and writes files. Everything else sees the interface Store,
// so that another store can take the place of the local file system: package objectstore has one
// for S3, Google and Azure, and package faultstore one that fails when a test says so.
//
//	var files store.Store = store.Local{}
//	t, err := files.Create("out/a.parquet")
//	…
//	defer t.Discard() // does nothing after Publish
//	t.Write(data)
//	err = t.Publish() // store.ErrExists if somebody else published it first
//
// A file is made in two steps. Create opens a temporary file beside the final name. Publish makes
// its bytes durable and gives it that name, unless the name is taken. So a name that exists is
// always a complete file. The few files that change are replaced: their name leads to the old file
// until it leads to the new one.
//
// The temporary files of a process that died begin with TempPrefix and are removed by Sweep. Those
// of running processes are kept.
package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// TempPrefix is the beginning of the base name of every temporary file.
const TempPrefix = ".tmp-"

// ErrExists is wrapped by errors of Publish and CreateNew if there is a file of that name.
var ErrExists = errors.New("exists already")

// Info describes a file or a folder. Name is the full name under which it was asked for; Size is in
// bytes. Special is set for pipes, sockets and devices. Direct is set by List only; it means that
// the file itself is not a symbolic link, so that its real name is its base name in the real
// folder.
type Info struct {
	Name    string
	Size    int64
	Dir     bool
	Special bool
	Direct  bool
}

// File is an open file. Its methods are those of *os.File. ReadAt is safe for concurrent use.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	// Size returns the length in bytes at the time when the file was opened.
	Size() int64
}

// Temp is a file that is being written. It gets its name from Publish or Replace.
type Temp interface {
	io.Writer
	// ReadAt reads what was written so far. It may be used until Publish or Discard.
	io.ReaderAt
	// Name returns the name that Publish will give the file.
	Name() string
	// Publish makes the bytes durable, gives the file its name and closes it. If the name is taken,
	// the error wraps ErrExists and the existing file is unchanged. After any error the temporary file
	// is removed, unless the process dies.
	Publish() error
	// Replace does what Publish does, but replaces an existing file of that name.
	Replace() error
	// Discard removes the temporary file. It does nothing after Publish, so
	// that it can be deferred.
	Discard() error
}

// Store holds files by slash-separated names. Errors name the file and the remedy; if the file is missing, they wrap fs.ErrNotExist. All methods are safe for concurrent use.
type Store interface {
	// Open opens a file for reading; a folder is an error.
	Open(name string) (File, error)
	// Stat describes a file or a folder.
	Stat(name string) (Info, error)
	// List describes the entries of a folder, sorted by the bytes of their names. Temporary files are
	// left out.
	List(dir string) ([]Info, error)
	// Real returns the real name of a file: the same for all spellings of the name and all links to it.
	Real(name string) string
	// Create begins a file. It makes its parent folders.
	Create(name string) (Temp, error)
	// Remove removes a file. A missing file is not an error.
	Remove(name string) error
	// Sweep removes the temporary files of dead processes from a folder and returns their number. A
	// missing folder has none.
	Sweep(dir string) (int, error)
	// SweepFor does what Sweep does for the temporary files of one name only, if the folder can be
	// listed.
	SweepFor(name string) (int, error)
}

// ReadFile returns the content of a file of at most limit bytes. A pointer of Git LFS is an error.
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
	if err := CheckPointer(data, int64(len(data))); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// CreateNew begins a file as Create does, but returns an error that wraps ErrExists if the name is
// taken. It also removes temporary files of that name that dead processes left.
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

// WriteFile publishes data under name. If the name is taken, the error wraps ErrExists.
func WriteFile(s Store, name string, data []byte) error {
	return writeFile(s, name, data, Temp.Publish)
}

// ReplaceFile writes data to name, in place of a file of that name.
func ReplaceFile(s Store, name string, data []byte) error {
	return writeFile(s, name, data, Temp.Replace)
}

func writeFile(s Store, name string, data []byte, finish func(Temp) error) error {
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
