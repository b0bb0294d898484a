//go:build stores

package objectstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"path"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"capgraph/store"
)

// Objects of more than 16 MiB are put in parts of partSize bytes, or more if there would be more
// than maxParts, partsAtOnce at a time. Stores accept 10,000 parts.
const (
	partSize    = 8 << 20
	maxParts    = 9000
	partsAtOnce = 2
)

// maxConflicts is how often a put is repeated that the store refuses with 409 because another put
// of the same name was under way.
const maxConflicts = 8

// putID is the metadata by which a process recognises its own put.
const putID = "capgraphput"

// putObject makes an object of the first size bytes of f. If ifAbsent is set and the name is taken,
// the error wraps store.ErrExists, unless this very put made the object and its reply was lost.
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
			// A store that refuses a put before it has read the body may close the connection,
			// and its answer is lost.
			if there || gcerrors.Code(err) == gcerrors.FailedPrecondition {
				return fmt.Errorf("%s %s: %w", op, b.fullName(key), store.ErrExists)
			}
		}
		if status, _ := statusAndCode(err); status != http.StatusConflict || n == maxConflicts || !waitToRetry(b.ctx, n) {
			return explainError(op, b.fullName(key), err)
		}
	}
}

// isThere reports whether there is an object of that name, and whether it was put with that
// identity.
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

// probeConditions puts a small object twice on the condition that there is none, whole and in
// parts. If the store makes it twice, one process could overwrite what another has finished.
func (b *bucket) probeConditions(dir string) error {
	key := path.Join(dir, store.TempPrefix+"probe-"+rand.Text())
	defer b.cloud.Delete(context.WithoutCancel(b.ctx), key)
	options := &blob.WriterOptions{IfNotExist: true, ContentType: "application/octet-stream"}
	put := func(size int) error {
		o := *options
		o.BufferSize = b.cloud.partSize
		return b.cloud.Upload(b.ctx, key, io.NewSectionReader(zeros{}, 0, int64(size)), &o)
	}
	if err := put(1); err != nil {
		return explainError("write to", b.root, err)
	}
	again := func() error { return put(1) }
	inParts := func() error { return put(b.cloud.partSize + 1) }
	if b.cloud.multipart != nil {
		inParts = func() error { return b.cloud.multipart(b.ctx, key) }
	}
	for _, attempt := range []func() error{again, inParts} {
		switch err := attempt(); {
		case err == nil:
			return &Error{
				op: "write to", name: b.root, cause: "the store ignores the condition that an object is not there (If-None-Match: *), so that two processes would overwrite each other's files",
				remedy: "use a store that knows conditional writes, or write to a local folder and copy it",
			}
		case !isPreconditionFailed(err):
			return explainError("write to", b.root, err)
		}
	}
	return nil
}

// isPreconditionFailed reports whether a put was refused because the name is taken.
func isPreconditionFailed(err error) bool {
	status, code := statusAndCode(err)
	return gcerrors.Code(err) == gcerrors.FailedPrecondition || status == http.StatusPreconditionFailed || code == "PreconditionFailed"
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}
