package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"capgraph/store"
)

// An object is read in blocks. A block is kept until all of it was read. A reader that continues
// with the next block fetches more blocks with one request.
const (
	blockSize      = 256 << 10
	maxAheadReadAt = 4   // blocks per request for ReadAt, which many goroutines may call
	maxAheadRead   = 16  // blocks per request for Read
	maxBlocks      = 128 // most blocks kept for an open object
	readRetries    = 6   // for a body that ends too soon
)

// errMissing is the cause if there is no object of that name.
var errMissing = fmt.Errorf("no such object: %w", fs.ErrNotExist)

// errChanged is the cause if an object was replaced after it was opened.
var errChanged = errors.New("the object is another than when it was opened")

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// keyReader reads parts of objects, which it finds by key.
type keyReader interface {
	fullName(key string) string
	// readPart requests length bytes from an offset on. version is the first part's version, or "" for the
	// first; if the object now has another, the error wraps errChanged. Errors of the first part are final.
	readPart(ctx context.Context, key string, offset, length int64, version string) (*part, error)
	// explainError wraps an error with the operation, the object and the remedy.
	explainError(op, key string, err error) error
}

// part is a part of an object that is being read. Size is the size of the whole object.
type part struct {
	io.ReadCloser
	size    int64
	version string
}

// object is an open object, in the version at the time of opening.
type object struct {
	from    keyReader
	key     string
	size    int64
	version string

	ctx     context.Context
	end     context.CancelFunc
	fetches sync.WaitGroup

	mu     sync.Mutex
	blocks map[int64]*block
	ahead  map[int64]int // number of blocks fetched, by the block that follows them
	clock  int64

	off int64 // of Read
}

// block is a part of an object that is in memory or being fetched.
type block struct {
	ready  chan struct{}
	data   []byte
	err    error
	unread int
	used   int64
}

// openObject opens an object by fetching its first block, whose response has the size and the version.
func openObject(ctx context.Context, from keyReader, key string) (store.File, error) {
	ctx, end := context.WithCancel(ctx)
	o := &object{from: from, key: key, ctx: ctx, end: end, blocks: map[int64]*block{}, ahead: map[int64]int{}}
	if err := o.readFirstBlock(); err != nil {
		end()
		return nil, err
	}
	return o, nil
}

func (o *object) fullName() string { return o.from.fullName(o.key) }

// readFirstBlock fetches the first block and sets the size and version.
func (o *object) readFirstBlock() error {
	for n := 1; ; n++ {
		r, err := o.from.readPart(o.ctx, o.key, 0, blockSize, "")
		if err != nil {
			return err
		}
		o.size, o.version = r.size, r.version
		data := make([]byte, min(blockSize, o.size))
		_, err = io.ReadFull(r, data)
		r.Close()
		if err == nil {
			first := &block{ready: make(chan struct{}), data: data, unread: len(data)}
			close(first.ready)
			o.blocks[0], o.ahead[1] = first, 1
			return nil
		}
		if n > readRetries || !waitToRetry(o.ctx, n) {
			return o.from.explainError("read", o.key, asUnexpectedEOF(err))
		}
	}
}

// asUnexpectedEOF returns io.ErrUnexpectedEOF for a body that ends too soon, since io.EOF would mean the end
// of the file.
func asUnexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Size returns the size of the opened version in bytes.
func (o *object) Size() int64 { return o.size }

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	n, err := o.readAt(p, o.off, maxAheadRead)
	o.off += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, off int64) (int, error) { return o.readAt(p, off, maxAheadReadAt) }

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.off
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek %s: %d is before its beginning", o.fullName(), offset)
	}
	o.off = offset
	return offset, nil
}

// Close ends pending requests.
func (o *object) Close() error {
	o.end()
	o.fetches.Wait()
	return nil
}

func (o *object) readAt(p []byte, off int64, ahead int) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("read %s: %d is before its beginning", o.fullName(), off)
	}
	n := 0
	for n < len(p) && off < o.size {
		at := off / blockSize
		blk := o.blockAt(at, ahead)
		select {
		case <-blk.ready:
		case <-o.ctx.Done():
			return n, fmt.Errorf("read %s: %w", o.fullName(), o.ctx.Err())
		}
		if blk.err != nil {
			return n, blk.err
		}
		copied := copy(p[n:], blk.data[off-at*blockSize:])
		n, off = n+copied, off+int64(copied)
		o.countRead(at, blk, copied)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// countRead counts bytes of a block as read, and drops the block when all were read.
func (o *object) countRead(at int64, blk *block, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if blk.unread -= bytes; blk.unread <= 0 && o.blocks[at] == blk {
		delete(o.blocks, at)
	}
}

// blockAt returns block number at, which may still be being fetched. If the reader continues after
// an earlier fetch, the following blocks are fetched, too: twice as many as before, up to most.
func (o *object) blockAt(at int64, most int) *block {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clock++
	if blk := o.blocks[at]; blk != nil {
		blk.used = o.clock
		return blk
	}
	n := 1
	if before := o.ahead[at]; before > 0 {
		n = min(2*before, most)
		delete(o.ahead, at)
	}
	var run []*block
	for i := at; len(run) < n && i*blockSize < o.size && o.blocks[i] == nil; i++ {
		blk := &block{ready: make(chan struct{}), unread: int(min(blockSize, o.size-i*blockSize)), used: o.clock}
		o.blocks[i] = blk
		run = append(run, blk)
	}
	if len(o.ahead) > maxBlocks {
		clear(o.ahead)
	}
	o.ahead[at+int64(len(run))] = len(run)
	o.dropOldBlocks()
	o.fetches.Add(1)
	go func() {
		defer o.fetches.Done()
		o.fetchBlocks(at, run)
	}()
	return run[0]
}

// dropOldBlocks drops the least recently used blocks if there are too many.
func (o *object) dropOldBlocks() {
	for len(o.blocks) > maxBlocks {
		oldest, used := int64(-1), o.clock
		for i, blk := range o.blocks {
			select {
			case <-blk.ready:
				if blk.used < used {
					oldest, used = i, blk.used
				}
			default:
			}
		}
		if oldest < 0 {
			return
		}
		delete(o.blocks, oldest)
	}
}

// fetchBlocks fetches adjacent blocks. If a body ends too soon, it continues from there.
func (o *object) fetchBlocks(at int64, run []*block) {
	filled := 0
	var err error
	for n := 1; filled < len(run); n++ {
		before := filled
		filled, err = o.fetchFrom(at, run, filled)
		if err == nil {
			continue
		}
		if filled > before {
			n = 1
		}
		if n > readRetries || !isTruncated(err) || !waitToRetry(o.ctx, n) {
			break
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := filled; i < len(run); i++ {
		run[i].err = o.from.explainError("read", o.key, err)
		close(run[i].ready)
		if o.blocks[at+int64(i)] == run[i] {
			delete(o.blocks, at+int64(i))
		}
	}
}

// truncatedError is the error of a body that ends too soon. (Failed requests are repeated by the
// SDK.)
type truncatedError struct{ error }

func (e truncatedError) Unwrap() error { return e.error }

func isTruncated(err error) bool {
	var cut truncatedError
	return errors.As(err, &cut)
}

// fetchFrom fills the blocks of run after the first filled ones with one request. It returns how many are
// then filled.
func (o *object) fetchFrom(at int64, run []*block, filled int) (int, error) {
	from := (at + int64(filled)) * blockSize
	to := min((at+int64(len(run)))*blockSize, o.size)
	r, err := o.from.readPart(o.ctx, o.key, from, to-from, o.version)
	if err != nil {
		return filled, err
	}
	defer r.Close()
	if r.size != o.size {
		return filled, errChanged
	}
	for ; filled < len(run); filled++ {
		data := make([]byte, run[filled].unread)
		if _, err := io.ReadFull(r, data); err != nil {
			return filled, truncatedError{asUnexpectedEOF(err)}
		}
		run[filled].data = data
		close(run[filled].ready)
	}
	return filled, nil
}

// waitToRetry waits before the n-th retry, counted from 1. It returns false if ctx is done.
func waitToRetry(ctx context.Context, n int) bool {
	return waitFor(ctx, min(100*time.Millisecond<<(n-1), 10*time.Second))
}

// waitFor waits for the duration d. It returns false if ctx is done.
func waitFor(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
