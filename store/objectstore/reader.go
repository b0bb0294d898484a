package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"capgraph/store"
)

// An object is read in blocks, which are kept until all of each was read. A reader
// that goes on to the next block gets more of them with one request.
const (
	blockSize   = 256 << 10
	aheadAt     = 4   // blocks at most that are fetched at once for ReadAt, of which many go on side by side
	aheadRead   = 16  // the same for Read
	mostBlocks  = 128 // that an open object keeps
	readRetries = 6   // of a body that ends too soon
)

// errMissing is the cause where nothing has a name.
var errMissing = fmt.Errorf("no such object: %w", fs.ErrNotExist)

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// object is an open object: the version that was there when it was opened.
type object struct {
	b       *bucket
	key     string
	size    int64
	version string

	ctx     context.Context
	end     context.CancelFunc
	fetches sync.WaitGroup

	mu     sync.Mutex
	blocks map[int64]*block
	ahead  map[int64]int // by the block after a fetch: of how many blocks that was
	clock  int64

	off int64 // of Read
}

// block is a part of an object that is there or on its way.
type block struct {
	ready  chan struct{}
	data   []byte
	err    error
	unread int
	used   int64
}

// Open asks for the first block, and so learns the size and the version.
func (b *bucket) Open(key string) (store.File, error) {
	if key == "" {
		return nil, b.folderError(key)
	}
	ctx, end := context.WithCancel(b.ctx)
	o := &object{b: b, key: key, ctx: ctx, end: end, blocks: map[int64]*block{}, ahead: map[int64]int{}}
	if err := o.begin(); err != nil {
		end()
		return nil, err
	}
	return o, nil
}

func (o *object) name() string { return o.b.name(o.key) }

// begin reads the first block.
func (o *object) begin() error {
	for n := 1; ; n++ {
		r, err := o.b.cloud.NewRangeReader(o.ctx, o.key, 0, blockSize, nil)
		if err != nil {
			return o.notOpened(err)
		}
		o.size, o.version = r.Size(), o.b.cloud.version(r)
		data := make([]byte, min(blockSize, o.size))
		_, err = io.ReadFull(r, data)
		r.Close()
		if err == nil {
			first := &block{ready: make(chan struct{}), data: data, unread: len(data)}
			close(first.ready)
			o.blocks[0], o.ahead[1] = first, 1
			return nil
		}
		if n > readRetries || !pause(o.ctx, n) {
			return explain("read", o.name(), unexpected(err))
		}
	}
}

// notOpened looks why an object cannot be read: it may be empty, of which no range can
// be asked, or a folder.
func (o *object) notOpened(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		if folder, listErr := o.b.isFolder(o.key); listErr == nil && folder {
			return o.b.folderError(o.key)
		}
		return explain("open", o.name(), err)
	}
	if status, _ := answer(err); status == http.StatusRequestedRangeNotSatisfiable {
		attributes, statErr := o.b.cloud.Attributes(o.ctx, o.key)
		if statErr == nil && attributes.Size == 0 {
			return nil
		}
	}
	return explain("open", o.name(), err)
}

// unexpected makes an end that comes too soon one that is no end of the file.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Size is that of the version which is read, in bytes.
func (o *object) Size() int64 { return o.size }

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	n, err := o.readAt(p, o.off, aheadRead)
	o.off += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, off int64) (int, error) { return o.readAt(p, off, aheadAt) }

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.off
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek %s: %d is before its beginning", o.name(), offset)
	}
	o.off = offset
	return offset, nil
}

// Close ends the requests that are under way.
func (o *object) Close() error {
	o.end()
	o.fetches.Wait()
	return nil
}

func (o *object) readAt(p []byte, off int64, ahead int) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("read %s: %d is before its beginning", o.name(), off)
	}
	n := 0
	for n < len(p) && off < o.size {
		at := off / blockSize
		blk := o.block(at, ahead)
		select {
		case <-blk.ready:
		case <-o.ctx.Done():
			return n, fmt.Errorf("read %s: %w", o.name(), o.ctx.Err())
		}
		if blk.err != nil {
			return n, blk.err
		}
		copied := copy(p[n:], blk.data[off-at*blockSize:])
		n, off = n+copied, off+int64(copied)
		o.consumed(at, blk, copied)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// consumed lets a block go once all of it was read.
func (o *object) consumed(at int64, blk *block, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if blk.unread -= bytes; blk.unread <= 0 && o.blocks[at] == blk {
		delete(o.blocks, at)
	}
}

// block returns a block that is there or on its way, with those after it where the
// reader goes on from a fetch before.
func (o *object) block(at int64, most int) *block {
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
	if len(o.ahead) > mostBlocks {
		clear(o.ahead)
	}
	o.ahead[at+int64(len(run))] = len(run)
	o.forget()
	o.fetches.Add(1)
	go func() {
		defer o.fetches.Done()
		o.fetch(at, run)
	}()
	return run[0]
}

// forget lets go of the blocks that were not used for longest, where there are too many.
func (o *object) forget() {
	for len(o.blocks) > mostBlocks {
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

// fetch fills blocks that follow each other, from where it came to after a body that
// ended too soon.
func (o *object) fetch(at int64, run []*block) {
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
		if n > readRetries || !isCut(err) || !pause(o.ctx, n) {
			break
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := filled; i < len(run); i++ {
		run[i].err = explain("read", o.name(), err)
		close(run[i].ready)
		if o.blocks[at+int64(i)] == run[i] {
			delete(o.blocks, at+int64(i))
		}
	}
}

// cutError is the error of a body that ended too soon. What comes of a request itself
// was made again by the SDK already.
type cutError struct{ error }

func (e cutError) Unwrap() error { return e.error }

func isCut(err error) bool {
	var cut cutError
	return errors.As(err, &cut)
}

// fetchFrom fills blocks with one request and returns how many are filled.
func (o *object) fetchFrom(at int64, run []*block, filled int) (int, error) {
	from := (at + int64(filled)) * blockSize
	to := min((at+int64(len(run)))*blockSize, o.size)
	options := &blob.ReaderOptions{}
	if o.version != "" {
		options.BeforeRead = o.b.cloud.pin(o.version)
	}
	r, err := o.b.cloud.NewRangeReader(o.ctx, o.key, from, to-from, options)
	if err != nil {
		if refused(err) || gcerrors.Code(err) == gcerrors.NotFound {
			err = fmt.Errorf("%w: %w", errChanged, err)
		}
		return filled, err
	}
	defer r.Close()
	if r.Size() != o.size {
		return filled, errChanged
	}
	for ; filled < len(run); filled++ {
		data := make([]byte, run[filled].unread)
		if _, err := io.ReadFull(r, data); err != nil {
			return filled, cutError{unexpected(err)}
		}
		run[filled].data = data
		close(run[filled].ready)
	}
	return filled, nil
}
