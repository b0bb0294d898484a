package objectstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"path"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"capgraph/store"
)

// Objects of more than 16 MiB are put in parts: of partSize bytes, or of more where
// there would be more than mostParts, partsAtOnce at a time. Stores take 10,000 parts.
const (
	partSize    = 8 << 20
	mostParts   = 9000
	partsAtOnce = 2
)

// conflicts is how often a put is made again that the store refuses with 409, since
// another put of the same name was under way.
const conflicts = 8

// putID is the metadata by which a process knows its own put again.
const putID = "capgraphput"

// put makes an object of the first size bytes of f. Where ifAbsent is set and there is
// an object of that name, the error wraps store.ErrExists, unless this very put made
// it and its answer was lost.
func (b *bucket) put(op, key string, f io.ReaderAt, size int64, ifAbsent bool) error {
	options := &blob.WriterOptions{
		IfNotExist: ifAbsent, ContentType: contentType(key), Metadata: map[string]string{putID: rand.Text()},
		BufferSize: int(max(partSize, (size+mostParts-1)/mostParts)), MaxConcurrency: partsAtOnce,
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
				return fmt.Errorf("%s %s: %w", op, b.name(key), store.ErrExists)
			}
		}
		if status, _ := answer(err); status != http.StatusConflict || n == conflicts || !pause(b.ctx, n) {
			return explain(op, b.name(key), err)
		}
	}
}

// isThere tells whether there is an object of that name, and whether it was put under
// that identity.
func (b *bucket) isThere(key, id string) (there, mine bool) {
	attributes, err := b.cloud.Attributes(b.ctx, key)
	return err == nil, err == nil && attributes.Metadata[putID] == id
}

// pause waits before the n-th repetition, from 1, and tells whether to go on.
func pause(ctx context.Context, n int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(min(100*time.Millisecond<<(n-1), 10*time.Second)):
		return true
	}
}

// contentType is what a browser is told of an object.
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

// probe puts a small object twice on the condition that there is none, whole and in
// parts: a store that makes it twice would let one process overwrite what another has
// finished.
func (b *bucket) probe(dir string) error {
	key := path.Join(dir, store.TempPrefix+"probe-"+rand.Text())
	defer b.cloud.Delete(context.WithoutCancel(b.ctx), key)
	options := &blob.WriterOptions{IfNotExist: true, ContentType: "application/octet-stream"}
	put := func(size int) error {
		o := *options
		o.BufferSize = b.cloud.partSize
		return b.cloud.Upload(b.ctx, key, io.NewSectionReader(zeros{}, 0, int64(size)), &o)
	}
	if err := put(1); err != nil {
		return explain("write to", b.root, err)
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
		case !refused(err):
			return explain("write to", b.root, err)
		}
	}
	return nil
}

// refused tells that a put was refused since there is an object of the name.
func refused(err error) bool {
	status, code := answer(err)
	return gcerrors.Code(err) == gcerrors.FailedPrecondition || status == http.StatusPreconditionFailed || code == "PreconditionFailed"
}

// zeros are as many as are asked for.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}
