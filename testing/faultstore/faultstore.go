// Package faultstore is a store whose operations fail when a test says so. Tests use it to show
// that no failure lets a partly written file pass for a complete one.
//
//	files := faultstore.New(store.Local{}, faultstore.At(3, syscall.ENOSPC))
//
// fails the fourth operation with a full disk. With a nil Injector the store only counts
// operations, so that a test can fail each of them in turn.
package faultstore

import (
	"sync/atomic"

	"capgraph/store"
)

// Op is a kind of operation.
type Op string

// The operations that can fail. Publish fails before the file gets its name; it also stands for
// Replace. Published fails after that, as if the folder could not be synced.
const (
	Open      Op = "open"
	Read      Op = "read"
	ReadAt    Op = "read_at"
	Seek      Op = "seek"
	Stat      Op = "stat"
	List      Op = "list"
	Create    Op = "create"
	Write     Op = "write"
	Publish   Op = "publish"
	Published Op = "published"
	Remove    Op = "remove"
	Sweep     Op = "sweep"
)

// Injector returns the error of the n-th operation of any kind, counted from 0; nil if it does not
// fail. It is called from many goroutines.
type Injector func(n int64, op Op, name string) error

// At returns an injector that fails only the n-th operation of any kind.
func At(n int64, err error) Injector {
	return func(i int64, _ Op, _ string) error {
		if i == n {
			return err
		}
		return nil
	}
}

// From returns an injector that fails every operation of kind op from the n-th of that kind on, as a full
// disk fails writes.
func From(op Op, n int64, err error) Injector {
	var seen atomic.Int64
	return func(_ int64, o Op, _ string) error {
		if o == op && seen.Add(1) > n {
			return err
		}
		return nil
	}
}

// Store passes operations on to the store below, unless the injector fails them.
type Store struct {
	below  store.Store
	inject Injector
	n      atomic.Int64
}

// New returns a store over below. A nil injector only counts.
func New(below store.Store, inject Injector) *Store {
	return &Store{below: below, inject: inject}
}

// Count returns the number of operations so far.
func (s *Store) Count() int64 { return s.n.Load() }

func (s *Store) fail(op Op, name string) error {
	n := s.n.Add(1) - 1
	if s.inject == nil {
		return nil
	}
	return s.inject(n, op, name)
}

func (s *Store) Open(name string) (store.File, error) {
	if err := s.fail(Open, name); err != nil {
		return nil, err
	}
	f, err := s.below.Open(name)
	if err != nil {
		return nil, err
	}
	return &file{f, s, name}, nil
}

func (s *Store) Stat(name string) (store.Info, error) {
	if err := s.fail(Stat, name); err != nil {
		return store.Info{}, err
	}
	return s.below.Stat(name)
}

func (s *Store) List(dir string) ([]store.Info, error) {
	if err := s.fail(List, dir); err != nil {
		return nil, err
	}
	return s.below.List(dir)
}

func (s *Store) Real(name string) string { return s.below.Real(name) }

func (s *Store) Create(name string) (store.Temp, error) {
	if err := s.fail(Create, name); err != nil {
		return nil, err
	}
	t, err := s.below.Create(name)
	if err != nil {
		return nil, err
	}
	return &temp{t, s}, nil
}

func (s *Store) Remove(name string) error {
	if err := s.fail(Remove, name); err != nil {
		return err
	}
	return s.below.Remove(name)
}

func (s *Store) Sweep(dir string) (int, error) {
	if err := s.fail(Sweep, dir); err != nil {
		return 0, err
	}
	return s.below.Sweep(dir)
}

func (s *Store) SweepFor(name string) (int, error) {
	if err := s.fail(Sweep, name); err != nil {
		return 0, err
	}
	return s.below.SweepFor(name)
}

type file struct {
	store.File
	s    *Store
	name string
}

func (f *file) Read(p []byte) (int, error) {
	if err := f.s.fail(Read, f.name); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if err := f.s.fail(ReadAt, f.name); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	if err := f.s.fail(Seek, f.name); err != nil {
		return 0, err
	}
	return f.File.Seek(offset, whence)
}

type temp struct {
	store.Temp
	s *Store
}

// Write writes only the first half of p if it fails.
func (t *temp) Write(p []byte) (int, error) {
	if err := t.s.fail(Write, t.Name()); err != nil {
		n, _ := t.Temp.Write(p[:len(p)/2])
		return n, err
	}
	return t.Temp.Write(p)
}

func (t *temp) ReadAt(p []byte, off int64) (int, error) {
	if err := t.s.fail(ReadAt, t.Name()); err != nil {
		return 0, err
	}
	return t.Temp.ReadAt(p, off)
}

func (t *temp) Publish() error { return t.finish(t.Temp.Publish) }
func (t *temp) Replace() error { return t.finish(t.Temp.Replace) }

func (t *temp) finish(finish func() error) error {
	if err := t.s.fail(Publish, t.Name()); err != nil {
		t.Discard()
		return err
	}
	if err := finish(); err != nil {
		return err
	}
	return t.s.fail(Published, t.Name())
}
