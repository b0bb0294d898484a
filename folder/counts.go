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

// countReader reads a file of counts of that size.
type countReader func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error]

// readCounts reads a file of counts; its errors name it, and what to do where it is damaged.
func (f Folder) readCounts(name string, file store.File, read countReader) iter.Seq2[schemas.Count, error] {
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

// Counts opens a file that a pass over the whole folder leaves.
func (f Folder) Counts(name string) (iter.Seq2[schemas.Count, error], error) {
	if _, err := f.Store.Stat(f.Path(Reduced(name))); err != nil {
		return nil, err
	}
	return f.counts(Reduced(name), counts.Read), nil
}

// CountsOf gives the rows of one kind of a file of counts, by its name in the folder. The
// error wraps fs.ErrNotExist where there is none.
func (f Folder) CountsOf(file, kind string) iter.Seq2[schemas.Count, error] {
	return f.counts(file, func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] { return counts.ReadKind(r, size, kind) })
}

// CountsFrom gives the rows of one kind, with the keys from first to last, as CountsOf
// gives those of all keys.
func (f Folder) CountsFrom(file, kind, first, last string) iter.Seq2[schemas.Count, error] {
	return f.counts(file, func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error] {
		return counts.ReadRange(r, size, kind, first, last)
	})
}

func (f Folder) counts(name string, read countReader) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		file, err := f.Store.Open(f.Path(name))
		if err != nil {
			yield(schemas.Count{}, err)
			return
		}
		defer file.Close()
		for row, err := range f.readCounts(name, file, read) {
			if !yield(row, err) {
				return
			}
		}
	}
}
