//go:build stores

package objectstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"capgraph/store"
)

// Objects of more than 16 MiB are uploaded in parts, partsAtOnce at a time. A part has partSize
// bytes, or more if there would be more than maxParts. Stores accept 10,000 parts.
const (
	partSize    = 8 << 20
	maxParts    = 9000
	partsAtOnce = 2
)

// maxConflicts is how often an upload is repeated if the store returns 409 because another upload
// of the same name is in progress.
const maxConflicts = 8

// putID is the key of the metadata by which a process recognises its own upload.
const putID = "capgraphput"

// putObject uploads the first size bytes of f as an object. If ifAbsent is set and the name is
// taken, the error wraps store.ErrExists, unless this same upload made the object and the response
// was lost.
func (b *bucket) putObject(op, key string, f io.ReaderAt, size int64, ifAbsent bool) error {
	options := &blob.WriterOptions{
		IfNotExist: ifAbsent, ContentType: contentType(key), Metadata: map[string]string{putID: rand.Text()},
		BufferSize: int(max(partSize, (size+maxParts-1)/maxParts)), MaxConcurrency: partsAtOnce,
	}
	for n := 1; ; n++ {
		err := b.cloud.Upload(b.ctx, key, io.NewSectionReader(f, 0, size), options)
		if err == nil {
			return nil
		}
		if ifAbsent && b.ctx.Err() == nil {
			there, mine := b.isThere(key, options.Metadata[putID])
			if mine {
				return nil
			}
			// If a store refuses an upload before it has read the body, it may close the connection, so that
			// its response is lost.
			if there || gcerrors.Code(err) == gcerrors.FailedPrecondition {
				return fmt.Errorf("%s %s: %w", op, b.fullName(key), store.ErrExists)
			}
		}
		if status, _ := statusAndCode(err); status != http.StatusConflict || n == maxConflicts || !waitToRetry(b.ctx, n) {
			return explainError(op, b.fullName(key), err)
		}
	}
}

// isThere reports whether there is an object of that name, and whether its putID is id.
func (b *bucket) isThere(key, id string) (there, mine bool) {
	attributes, err := b.cloud.Attributes(b.ctx, key)
	return err == nil, err == nil && attributes.Metadata[putID] == id
}

// contentType returns the content type of an object for browsers.
func contentType(key string) string {
	switch path.Ext(key) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".json":
		return "application/json"
	case ".jsonl", ".md", ".csv", ".tsv":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// probePrefix is the beginning of the base name of the objects that probes upload.
const probePrefix = store.TempPrefix + "probe-"

// probeConditions uploads a small object twice, whole and in parts, each on the condition that
// there is none. If the store accepts it twice, it ignores the condition, and a process could
// overwrite the object of another one. ignored is true then.
func (b *bucket) probeConditions(dir string) (ignored bool, err error) {
	key := path.Join(dir, probePrefix+rand.Text())
	defer b.cloud.Delete(context.WithoutCancel(b.ctx), key)
	options := &blob.WriterOptions{IfNotExist: true, ContentType: "application/octet-stream"}
	put := func(size int) error {
		o := *options
		o.BufferSize = b.cloud.partSize
		return b.cloud.Upload(b.ctx, key, io.NewSectionReader(zeros{}, 0, int64(size)), &o)
	}
	if err := put(1); err != nil {
		return false, explainError("write to", b.root, err)
	}
	again := func() error { return put(1) }
	inParts := func() error { return put(b.cloud.partSize + 1) }
	if b.cloud.multipart != nil {
		inParts = func() error { return b.cloud.multipart(b.ctx, key) }
	}
	for _, attempt := range []func() error{again, inParts} {
		switch err := attempt(); {
		case err == nil:
			return true, &Error{
				op: "write to", name: b.root, cause: "the store ignores the condition that an object is not there (If-None-Match: *), so that two processes would overwrite each other's files",
				remedy: "use a store that knows conditional writes, or write to a local folder and copy it",
			}
		case !isPreconditionFailed(err):
			return false, explainError("write to", b.root, err)
		}
	}
	return false, nil
}

// sweepProbes removes the objects of probes from a folder. Its key is empty or ends in a slash. They are of processes that
// were killed; a process whose probe is removed under way probes again.
func (b *bucket) sweepProbes(folder string) (removed int, err error) {
	objects := b.cloud.List(&blob.ListOptions{Prefix: folder + probePrefix})
	for {
		o, err := objects.Next(b.ctx)
		if errors.Is(err, io.EOF) {
			return removed, nil
		}
		if err == nil {
			err = b.Remove(o.Key)
		}
		if err != nil {
			return removed, explainError("sweep", b.fullName(folder), err)
		}
		removed++
	}
}

// isPreconditionFailed reports whether an upload was refused because the name is taken.
func isPreconditionFailed(err error) bool {
	status, code := statusAndCode(err)
	return gcerrors.Code(err) == gcerrors.FailedPrecondition || status == http.StatusPreconditionFailed || code == "PreconditionFailed"
}

// zeros is an infinite file of zeros.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}
