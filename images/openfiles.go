package images

import (
	"errors"
	"io"
	"sync"
)

// openFiles keeps the most recently used files open. Opening a file does not block the users of
// other files.
type openFiles[T io.Closer] struct {
	open func(i int) (T, error)
	most int // how many files stay open, unless more are in use

	mu    sync.Mutex
	files map[int]*openFile[T]
	turn  int
}

type openFile[T io.Closer] struct {
	once  sync.Once
	file  T
	err   error
	users int
	last  int // turn of the last use
}

func newOpenFiles[T io.Closer](most int, open func(i int) (T, error)) *openFiles[T] {
	return &openFiles[T]{open: open, most: most, files: map[int]*openFile[T]{}}
}

// withFile calls do with file i, which stays open until do returns.
func (h *openFiles[T]) withFile(i int, do func(T) error) error {
	h.mu.Lock()
	f := h.files[i]
	if f == nil {
		f = new(openFile[T])
		h.files[i] = f
	}
	h.turn++
	f.users, f.last = f.users+1, h.turn
	h.mu.Unlock()

	f.once.Do(func() { f.file, f.err = h.open(i) })
	err := f.err
	if err == nil {
		err = do(f.file)
	}
	return errors.Join(err, h.releaseFile(i, f))
}

// releaseFile ends a use of file i. While more than h.most files are open, it closes the least recently used
// of those not in use.
func (h *openFiles[T]) releaseFile(i int, f *openFile[T]) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.users--
	if f.err != nil { // the next use tries again to open it
		if h.files[i] == f {
			delete(h.files, i)
		}
		return nil
	}
	var errs []error
	for len(h.files) > h.most {
		oldest := -1
		for k, f := range h.files {
			if f.users == 0 && (oldest < 0 || f.last < h.files[oldest].last) {
				oldest = k
			}
		}
		if oldest < 0 {
			break
		}
		errs = append(errs, h.files[oldest].file.Close())
		delete(h.files, oldest)
	}
	return errors.Join(errs...)
}

// Close closes all files. None may be in use.
func (h *openFiles[T]) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for _, f := range h.files {
		errs = append(errs, f.file.Close())
	}
	clear(h.files)
	return errors.Join(errs...)
}
