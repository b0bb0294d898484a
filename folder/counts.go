package folder

import (
	"fmt"
	"io"
	"iter"

	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/schemas"
	"capgraph/store"
)

// countReader yields the rows of a file of counts of the given size.
type countReader func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error]

// yieldCounts yields the rows of a file of counts. Its errors name the file, and the remedy if it
// is damaged.
func (f Folder) yieldCounts(name string, file store.File, read countReader) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		for row, err := range read(file, file.Size()) {
			if err != nil {
				err = fmt.Errorf("%s: %w", f.Path(name), err)
				if !store.IsEnvironmentError(err) {
					err = &DamagedError{err, fmt.Sprintf("'capgraph verify %s' says how to have it made again", text.Quote(f.Dir))}
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// ReadCounts opens a file of counts that a pass over the whole folder writes.
func (f Folder) ReadCounts(name string) (iter.Seq2[schemas.Count, error], error) {
	if _, err := f.Store.Stat(f.Path(ReducedFile(name))); err != nil {
		return nil, err
	}
	return f.openCounts(ReducedFile(name), counts.Read), nil
}

// ReadCountsOfKind yields the rows of one kind of a file of counts. The error wraps fs.ErrNotExist
// if there is no such file.
func (f Folder) ReadCountsOfKind(file, kind string) iter.Seq2[schemas.Count, error] {
	return f.openCounts(file, func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] { return counts.ReadKind(r, size, kind) })
}

// ReadCountRange yields the rows of one kind with keys from first to last.
func (f Folder) ReadCountRange(file, kind, first, last string) iter.Seq2[schemas.Count, error] {
	return f.openCounts(file, func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] {
		return counts.ReadRange(r, size, kind, first, last)
	})
}

func (f Folder) openCounts(name string, read countReader) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		file, err := f.Store.Open(f.Path(name))
		if err != nil {
			yield(schemas.Count{}, err)
			return
		}
		defer file.Close()
		for row, err := range f.yieldCounts(name, file, read) {
			if !yield(row, err) {
				return
			}
		}
	}
}
