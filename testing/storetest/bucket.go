package storetest

import (
	"path/filepath"
	"strings"
	"testing"

	"capgraph/store"
)

// bucketURL is the URL of a Bucket.
const bucketURL = "s3://bucket"

// Bucket returns a store for tests without a server. Names that begin with url are files in folder;
// all others are local files.
func Bucket(t testing.TB) (s store.Store, url, folder string) {
	folder = t.TempDir()
	return bucket{folder: folder}, bucketURL, folder
}

type bucket struct {
	store.Local
	folder string
}

func (b bucket) path(name string) string {
	if below, ok := strings.CutPrefix(name, bucketURL); ok {
		return filepath.Join(b.folder, below)
	}
	return name
}

func (b bucket) Open(name string) (store.File, error)   { return b.Local.Open(b.path(name)) }
func (b bucket) Create(name string) (store.Temp, error) { return b.Local.Create(b.path(name)) }
func (b bucket) Stat(name string) (store.Info, error)   { return b.Local.Stat(b.path(name)) }
func (b bucket) Remove(name string) error               { return b.Local.Remove(b.path(name)) }
func (b bucket) Sweep(dir string) (int, error)          { return b.Local.Sweep(b.path(dir)) }
func (b bucket) SweepFor(name string) (int, error)      { return b.Local.SweepFor(b.path(name)) }

func (b bucket) List(dir string) ([]store.Info, error) {
	infos, err := b.Local.List(b.path(dir))
	for i := range infos {
		infos[i].Name = store.Join(dir, filepath.Base(infos[i].Name))
	}
	return infos, err
}
