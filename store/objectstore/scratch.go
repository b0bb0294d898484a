//go:build stores

package objectstore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"capgraph/store"
)

// createFile makes a temporary file that disappears with the process.
func (s *scratch) createFile(name string) (*os.File, error) {
	f, err := os.CreateTemp(s.dir, store.TempPrefix+"capgraph-*")
	if err != nil {
		return nil, s.explainError("create", name, err)
	}
	_ = os.Remove(f.Name()) // some systems refuse this for an open file; then Discard removes it
	return f, nil
}

// explainError wraps an error about a scratch file with the name of the scratch folder.
func (s *scratch) explainError(op, name string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		err = number
	}
	return fmt.Errorf("%s %s in the scratch folder %s: %w (free some space there, or name another folder with store.scratch or TMPDIR; what is finished is kept)", op, name, s.dir, err)
}

// temp is an object that is being written to a scratch file.
type temp struct {
	b    *bucket
	key  string
	f    *os.File
	size int64
	done bool
}

func (t *temp) Name() string { return t.b.fullName(t.key) }

func (t *temp) Write(p []byte) (int, error) {
	n, err := t.f.Write(p)
	t.size += int64(n)
	t.b.scratch.AddBytes(int64(n))
	return n, t.b.scratch.explainError("write", t.Name(), err)
}

func (t *temp) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.f.ReadAt(p, off)
	return n, t.b.scratch.explainError("read", t.Name(), err)
}

// Publish uploads the object on the condition that there is none of its name.
func (t *temp) Publish() error { return t.putObject("publish", true) }

// Replace uploads the object.
func (t *temp) Replace() error { return t.putObject("replace", false) }

func (t *temp) putObject(op string, ifAbsent bool) error {
	if t.done {
		return fmt.Errorf("%s %s: %w", op, t.Name(), os.ErrClosed)
	}
	defer t.Discard()
	return t.b.putObject(op, t.key, t.f, t.size, ifAbsent)
}

// Discard removes the scratch file.
func (t *temp) Discard() error {
	if t.done {
		return nil
	}
	t.done = true
	t.b.scratch.AddBytes(-t.size)
	err := t.f.Close()
	_ = os.Remove(t.f.Name())
	return t.b.scratch.explainError("discard", t.Name(), err)
}
