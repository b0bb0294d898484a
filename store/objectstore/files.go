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

// The URL schemes of object stores.
const (
	schemeS3    = "s3"
	schemeGCS   = "gs"
	schemeAzure = "azblob"
	schemeHub   = "hf"
)

// Files is a store for names of all schemes. It is safe for concurrent use.
type Files struct {
	ctx      context.Context
	settings Settings
	local    store.Local
	scratch  *scratch
	counter  *counter

	mu      sync.Mutex
	buckets map[string]backend
}

var _ store.Store = (*Files)(nil)

// New returns a store for names of all schemes. Requests end when ctx does. Before the first name
// of an object store is used, no request is made and no credentials are looked up.
func New(ctx context.Context, s Settings) *Files {
	return &Files{
		ctx: ctx, settings: s, counter: &counter{}, buckets: map[string]backend{},
		scratch: &scratch{dir: cmp.Or(s.Scratch, os.TempDir())},
	}
}

// With returns a store with other settings. Traffic counts the requests of both.
func (f *Files) With(s Settings) *Files {
	other := New(f.ctx, s)
	other.counter = f.counter
	return other
}

// WithContext returns a store like f whose requests end when ctx does.
func (f *Files) WithContext(ctx context.Context) *Files {
	other := New(ctx, f.settings)
	other.counter = f.counter
	return other
}

// resolve returns the backend for a name, and the path or key of the name there.
func (f *Files) resolve(name string) (s backend, key string, err error) {
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
	b, err := f.openBucket(scheme, host)
	return b, strings.TrimPrefix(store.Clean("/"+key), "/"), err
}

// checkName returns an error for a name without a bucket. The error does not repeat what may be a secret.
func checkName(scheme, bucket string) error {
	switch {
	case scheme != schemeS3 && scheme != schemeGCS && scheme != schemeAzure && scheme != schemeHub:
		return fmt.Errorf("%s://: no such scheme: s3://, gs://, azblob://, hf:// and file:// are known, and plain paths", scheme)
	case strings.ContainsAny(bucket, "@:"):
		return fmt.Errorf("%s://…: credentials do not belong in an address: the SDK takes them from the environment or a profile", scheme)
	case bucket == "":
		return fmt.Errorf("%s:// names no bucket: want %s://BUCKET/KEY", scheme, scheme)
	case strings.ContainsAny(bucket, "?#\\ \t\r\n"):
		return fmt.Errorf("%s://…: a bucket has no such name: want %s://BUCKET/KEY, settings under store: or in the environment", scheme, scheme)
	}
	return nil
}

// openBucket returns the backend of a bucket. It opens each bucket only once.
func (f *Files) openBucket(scheme, name string) (backend, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root := scheme + "://" + name
	if b := f.buckets[root]; b != nil {
		return b, nil
	}
	open := func() (backend, error) { return f.newBucket(scheme, name, root) }
	if scheme == schemeHub {
		open = func() (backend, error) { return f.openHub(name) }
	}
	b, err := open()
	if err != nil {
		return nil, err
	}
	f.buckets[root] = b
	return b, nil
}

// backend has the methods of store.Store. Names are paths or keys.
type backend interface {
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
	s, key, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	return s.Open(key)
}

// Stat implements store.Store. A name without an object is a folder if there are objects below it.
func (f *Files) Stat(name string) (store.Info, error) {
	s, key, err := f.resolve(name)
	if err != nil {
		return store.Info{}, err
	}
	return s.Stat(key)
}

// List implements store.Store.
func (f *Files) List(dir string) ([]store.Info, error) {
	s, key, err := f.resolve(dir)
	if err != nil {
		return nil, err
	}
	return s.List(key)
}

// Real implements store.Store.
func (f *Files) Real(name string) string {
	s, key, err := f.resolve(name)
	if err != nil {
		return name
	}
	return s.Real(key)
}

// Create implements store.Store. Before the first file of a bucket the store is probed, and one
// that ignores conditions is an error.
func (f *Files) Create(name string) (store.Temp, error) {
	s, key, err := f.resolve(name)
	if err != nil {
		return nil, err
	}
	return s.Create(key)
}

// Remove implements store.Store.
func (f *Files) Remove(name string) error {
	s, key, err := f.resolve(name)
	if err != nil {
		return err
	}
	return s.Remove(key)
}

// Sweep implements store.Store. It removes objects of probes. In S3 it aborts multipart uploads that have been idle for an hour.
// Google and Azure remove theirs after a week.
func (f *Files) Sweep(dir string) (int, error) {
	s, key, err := f.resolve(dir)
	if err != nil {
		return 0, err
	}
	return s.Sweep(key)
}

// SweepFor implements store.Store.
func (f *Files) SweepFor(name string) (int, error) {
	s, key, err := f.resolve(name)
	if err != nil {
		return 0, err
	}
	return s.SweepFor(key)
}

// ScratchFree returns the folder in which objects are written before their upload, and the number
// of bytes free there; −1 if that is unknown.
func (f *Files) ScratchFree() (dir string, free int64) {
	return f.scratch.dir, freeBytes(f.scratch.dir)
}

// Traffic returns counts of the requests to object stores so far.
func (f *Files) Traffic() Traffic {
	t := f.counter.readTraffic()
	t.Scratch, t.ScratchDir = f.scratch.peak.Load(), f.scratch.dir
	return t
}
