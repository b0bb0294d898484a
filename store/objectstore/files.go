package objectstore

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"capgraph/store"
)

// Files is the store of all names. It is safe for concurrent use.
type Files struct {
	ctx      context.Context
	settings Settings
	local    store.Local
	scratch  *scratch
	counter  *counter

	mu      sync.Mutex
	buckets map[string]*bucket
}

var _ store.Store = (*Files)(nil)

// New returns the store of all names. Requests end when ctx does. Nothing is asked of
// an object store, and no credentials are looked for, before the first name of it.
func New(ctx context.Context, s Settings) *Files {
	return &Files{
		ctx: ctx, settings: s, counter: &counter{}, buckets: map[string]*bucket{},
		scratch: &scratch{dir: cmp.Or(s.Scratch, os.TempDir())},
	}
}

// With is the store with other settings; what is asked of both is counted as one.
func (f *Files) With(s Settings) *Files {
	other := New(f.ctx, s)
	other.counter = f.counter
	return other
}

// WithContext is the store whose requests end when ctx does.
func (f *Files) WithContext(ctx context.Context) *Files {
	other := New(ctx, f.settings)
	other.counter = f.counter
	return other
}

// at is where name lies: in the local store, under a path, or in a bucket, under a key.
func (f *Files) at(name string) (s within, key string, err error) {
	scheme := store.Scheme(name)
	if scheme == "" {
		return f.local, name, nil
	}
	if scheme == "file" {
		path, ok := store.LocalPath(name)
		if !ok {
			return nil, "", fmt.Errorf("%s: want file:///PATH, of this machine and without ? or #", name)
		}
		return f.local, path, nil
	}
	host, key, _ := strings.Cut(name[len(scheme)+len("://"):], "/")
	if err := checkName(scheme, host); err != nil {
		return nil, "", err
	}
	b, err := f.bucket(scheme, host)
	return b, strings.TrimPrefix(store.Clean("/"+key), "/"), err
}

// checkName refuses what names no bucket, without repeating what may be a secret.
func checkName(scheme, bucket string) error {
	switch {
	case scheme != schemeS3 && scheme != schemeGCS && scheme != schemeAzure:
		return fmt.Errorf("%s://: no such scheme: s3://, gs://, azblob:// and file:// are known, and plain paths", scheme)
	case strings.ContainsAny(bucket, "@:"):
		return fmt.Errorf("%s://…: credentials do not belong in an address: the SDK takes them from the environment or a profile", scheme)
	case bucket == "":
		return fmt.Errorf("%s:// names no bucket: want %s://BUCKET/KEY", scheme, scheme)
	case strings.ContainsAny(bucket, "?#\\ \t\r\n"):
		return fmt.Errorf("%s://…: a bucket has no such name: want %s://BUCKET/KEY, settings under store: or in the environment", scheme, scheme)
	}
	return nil
}

// bucket opens a bucket once.
func (f *Files) bucket(scheme, name string) (*bucket, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root := scheme + "://" + name
	if b := f.buckets[root]; b != nil {
		return b, nil
	}
	c, err := open(f.ctx, scheme, name, f.settings, f.counter)
	if err != nil {
		return nil, explain("open", root, err)
	}
	b := &bucket{ctx: f.ctx, root: root, cloud: c, scratch: f.scratch}
	f.buckets[root] = b
	return b, nil
}

// within is what Files asks of a place: the methods of store.Store, of paths or keys.
type within interface {
	Open(name string) (store.File, error)
	Stat(name string) (store.Info, error)
	List(dir string) ([]store.Info, error)
	Real(name string) string
	Create(name string) (store.Temp, error)
	Remove(name string) error
	Sweep(dir string) (int, error)
	SweepFor(name string) (int, error)
}

// Open implements store.Store.
func (f *Files) Open(name string) (store.File, error) {
	s, key, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return s.Open(key)
}

// Stat implements store.Store. A name of which there is no object is a folder where
// there are objects below it.
func (f *Files) Stat(name string) (store.Info, error) {
	s, key, err := f.at(name)
	if err != nil {
		return store.Info{}, err
	}
	return s.Stat(key)
}

// List implements store.Store.
func (f *Files) List(dir string) ([]store.Info, error) {
	s, key, err := f.at(dir)
	if err != nil {
		return nil, err
	}
	return s.List(key)
}

// Real implements store.Store.
func (f *Files) Real(name string) string {
	s, key, err := f.at(name)
	if err != nil {
		return name
	}
	return s.Real(key)
}

// Create implements store.Store. The first file of a bucket is preceded by a probe:
// a store that ignores conditions is an error.
func (f *Files) Create(name string) (store.Temp, error) {
	s, key, err := f.at(name)
	if err != nil {
		return nil, err
	}
	return s.Create(key)
}

// Remove implements store.Store.
func (f *Files) Remove(name string) error {
	s, key, err := f.at(name)
	if err != nil {
		return err
	}
	return s.Remove(key)
}

// Sweep implements store.Store. Of S3 it aborts the multipart uploads to which nothing
// was added for an hour; Google and Azure drop theirs after a week.
func (f *Files) Sweep(dir string) (int, error) {
	s, key, err := f.at(dir)
	if err != nil {
		return 0, err
	}
	return s.Sweep(key)
}

// SweepFor implements store.Store.
func (f *Files) SweepFor(name string) (int, error) {
	s, key, err := f.at(name)
	if err != nil {
		return 0, err
	}
	return s.SweepFor(key)
}

// ScratchFree is the folder in which objects are written before they are put, and how
// many bytes are free there; -1 where the system does not tell.
func (f *Files) ScratchFree() (dir string, free int64) { return f.scratch.dir, freeIn(f.scratch.dir) }

// Traffic is what was asked of object stores so far.
func (f *Files) Traffic() Traffic {
	t := f.counter.traffic()
	t.Scratch, t.ScratchDir = f.scratch.most.Load(), f.scratch.dir
	return t
}
