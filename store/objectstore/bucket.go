//go:build stores

package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"capgraph/store"
)

// bucket is the backend for one bucket. Its names are keys of objects.
type bucket struct {
	ctx     context.Context
	root    string // as in s3://bucket
	cloud   cloud
	scratch *scratch

	mu     sync.Mutex
	probed bool
}

// newBucket opens the bucket name. root is its URL.
func (f *Files) newBucket(scheme, name, root string) (backend, error) {
	c, err := openCloud(f.ctx, scheme, name, f.settings, f.counter)
	if err != nil {
		return nil, explainError("open", root, err)
	}
	return &bucket{ctx: f.ctx, root: root, cloud: c, scratch: f.scratch}, nil
}

// fullName returns the URL of a key.
func (b *bucket) fullName(key string) string { return store.Join(b.root, key) }

// Stat describes the object with that key; if there is none, the folder of the objects below it.
func (b *bucket) Stat(key string) (store.Info, error) {
	name := b.fullName(key)
	if key != "" {
		attributes, err := b.cloud.Attributes(b.ctx, key)
		if err == nil {
			return store.Info{Name: name, Size: attributes.Size}, nil
		}
		if err = explainError("stat", name, err); !isNotExist(err) {
			return store.Info{}, err
		}
	}
	some, err := b.isFolder(key)
	if err != nil {
		return store.Info{}, explainError("stat", name, err)
	}
	if !some && key != "" {
		return store.Info{}, b.missingError("stat", key)
	}
	return store.Info{Name: name, Dir: true}, nil
}

// missingError returns the error of a missing object.
func (b *bucket) missingError(op, key string) error {
	return explainError(op, b.fullName(key), errMissing)
}

// isFolder reports whether there is an object below key. A missing bucket is an error.
func (b *bucket) isFolder(key string) (bool, error) {
	page, _, err := b.cloud.ListPage(b.ctx, blob.FirstPageToken, 1, &blob.ListOptions{Prefix: folderPrefix(key)})
	return len(page) > 0, err
}

// folderPrefix returns the prefix of the keys of objects in a folder.
func folderPrefix(key string) string {
	if key == "" {
		return ""
	}
	return key + "/"
}

// List describes the objects and folders directly below a key.
func (b *bucket) List(key string) ([]store.Info, error) {
	prefix := folderPrefix(key)
	objects := b.cloud.List(&blob.ListOptions{Prefix: prefix, Delimiter: "/"})
	infos := []store.Info{}
	some := key == ""
	for {
		o, err := objects.Next(b.ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, explainError("list", b.fullName(key), err)
		}
		some = true
		base := strings.TrimSuffix(strings.TrimPrefix(o.Key, prefix), "/")
		if base == "" || strings.HasPrefix(base, store.TempPrefix) {
			continue
		}
		infos = append(infos, store.Info{Name: b.fullName(prefix + base), Size: o.Size, Dir: o.IsDir})
	}
	if !some {
		return nil, b.missingError("list", key)
	}
	slices.SortFunc(infos, func(x, y store.Info) int { return strings.Compare(x.Name, y.Name) })
	return infos, nil
}

// Real returns the full name of a key: objects have no links.
func (b *bucket) Real(key string) string { return b.fullName(key) }

// Create begins a scratch file. Before the first one of a bucket, the store is probed.
func (b *bucket) Create(key string) (store.Temp, error) {
	if key == "" {
		return nil, fmt.Errorf("create %s: it is a bucket: name an object in it", b.root)
	}
	if err := b.ensureProbed(path.Dir("/" + key)[1:]); err != nil {
		return nil, err
	}
	f, err := b.scratch.createFile(b.fullName(key))
	if err != nil {
		return nil, err
	}
	return &temp{b: b, key: key, f: f}, nil
}

func (b *bucket) ensureProbed(dir string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.probed {
		return nil
	}
	ignored, err := b.probeConditions(dir)
	if ignored { // or another process removed the probe's object in between: see sweepProbes
		_, err = b.probeConditions(dir)
	}
	b.probed = err == nil
	return err
}

// Remove removes an object.
func (b *bucket) Remove(key string) error {
	err := explainError("remove", b.fullName(key), b.cloud.Delete(b.ctx, key))
	if isNotExist(err) {
		return nil
	}
	return err
}

// Sweep aborts unfinished uploads to a folder that dead processes left, and removes objects of their probes.
func (b *bucket) Sweep(key string) (int, error) {
	probes, err := b.sweepProbes(folderPrefix(key))
	if err != nil {
		return probes, err
	}
	uploads, err := b.sweepUploads(folderPrefix(key))
	return probes + uploads, err
}

// SweepFor aborts unfinished uploads of an object that dead processes left.
func (b *bucket) SweepFor(key string) (int, error) { return b.sweepUploads(key) }

func (b *bucket) sweepUploads(key string) (int, error) {
	if b.cloud.sweep == nil {
		return 0, nil
	}
	n, err := b.cloud.sweep(b.ctx, key)
	return n, explainError("sweep", b.fullName(key), err)
}

// folderError returns the error for opening a folder as an object.
func (b *bucket) folderError(key string) error {
	return fmt.Errorf("open %s: %w (it is a folder: name an object, or those in it with a glob such as %s/*)", b.fullName(key), syscall.EISDIR, b.fullName(key))
}

// Open opens an object.
func (b *bucket) Open(key string) (store.File, error) {
	if key == "" {
		return nil, b.folderError(key)
	}
	return openObject(b.ctx, b, key)
}

// readPart implements keyReader.
func (b *bucket) readPart(ctx context.Context, key string, offset, length int64, version string) (*part, error) {
	options := &blob.ReaderOptions{}
	if version != "" {
		options.BeforeRead = b.cloud.pin(version)
	}
	r, err := b.cloud.NewRangeReader(ctx, key, offset, length, options)
	switch {
	case err == nil:
		return &part{r, r.Size(), b.cloud.version(r)}, nil
	case version == "" && offset == 0:
		return b.explainOpenError(ctx, key, err)
	case isPreconditionFailed(err) || gcerrors.Code(err) == gcerrors.NotFound:
		err = fmt.Errorf("%w: %w", errChanged, err)
	}
	return nil, err
}

// explainOpenError finds out why an object cannot be read. If it is empty, it has no range to read, and
// an empty part is returned. If it is a folder, the error says so.
func (b *bucket) explainOpenError(ctx context.Context, key string, err error) (*part, error) {
	if gcerrors.Code(err) == gcerrors.NotFound {
		if folder, listErr := b.isFolder(key); listErr == nil && folder {
			return nil, b.folderError(key)
		}
	} else if status, _ := statusAndCode(err); status == http.StatusRequestedRangeNotSatisfiable {
		attributes, statErr := b.cloud.Attributes(ctx, key)
		if statErr == nil && attributes.Size == 0 {
			return &part{ReadCloser: http.NoBody}, nil
		}
	}
	return nil, b.explainError("open", key, err)
}

// explainError implements keyReader.
func (b *bucket) explainError(op, key string, err error) error {
	return explainError(op, b.fullName(key), err)
}
