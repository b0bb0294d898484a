package pipeline

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"

	"capgraph/counts"
	"capgraph/schemas"
	"capgraph/store"
)

// fanIn is how many runs of counts are merged at a time.
const fanIn = 64

// countRun is a sorted run of counts: a file of the folder, or a temporary one
// that has no name and goes with the process.
type countRun struct {
	name string
	temp *hashed
}

// open gives the rows of the run; close ends it.
func (c countRun) open(f Folder) (rows iter.Seq2[schemas.Count, error], close func() error, err error) {
	if c.temp != nil {
		return counts.Read(c.temp.temp, c.temp.bytes), func() error { return nil }, nil
	}
	file, err := f.Store.Open(f.Path(c.name))
	if err != nil {
		return nil, nil, err
	}
	return f.readCounts(c.name, file, counts.Read), file.Close, nil
}

// tempRun writes rows, sorted by kind and key, as a temporary run, which the
// caller discards.
func (f Folder) tempRun(rows iter.Seq2[schemas.Count, error]) (countRun, error) {
	temp, err := f.create(path.Join(tempDir, "counts"))
	if err != nil {
		return countRun{}, err
	}
	if err := counts.Write(temp, rows, schemas.WriterOptions{}); err != nil {
		temp.discard()
		return countRun{}, err
	}
	return countRun{temp: temp}, nil
}

// Scratch makes a temporary file in the folder, which the caller discards.
func (f Folder) Scratch(name string) (store.Temp, error) {
	return f.Store.Create(f.Path(path.Join(tempDir, name)))
}

// merge gives the sums of runs; more than fanIn of them in rounds, over
// temporary runs.
func (f Folder) merge(ctx context.Context, runs []countRun) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		fail := func(err error) { yield(schemas.Count{}, err) }
		for len(runs) > fanIn {
			var next []countRun
			defer func() { discardRuns(next) }()
			for at := 0; at < len(runs); at += fanIn {
				run, err := f.tempRun(f.merge(ctx, runs[at:min(at+fanIn, len(runs))]))
				if err != nil {
					fail(err)
					return
				}
				next = append(next, run)
			}
			runs = next
		}
		opened := make([]iter.Seq2[schemas.Count, error], len(runs))
		for i, run := range runs {
			rows, close, err := run.open(f)
			if err != nil {
				fail(err)
				return
			}
			defer close()
			opened[i] = rows
		}
		const checked = 1024
		n := 0
		for row, err := range counts.Merge(opened) {
			if n++; err == nil && n%checked == 0 {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func discardRuns(runs []countRun) {
	for _, run := range runs {
		if run.temp != nil {
			run.temp.discard()
		}
	}
}

// countReader reads a file of counts of that size.
type countReader func(r io.ReaderAt, size int64) iter.Seq2[schemas.Count, error]

// readCounts reads a file of counts; its errors name it, and what to do where it is damaged.
func (f Folder) readCounts(name string, file store.File, read countReader) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		for row, err := range read(file, file.Size()) {
			if err != nil {
				err = fmt.Errorf("%s: %w", f.Path(name), err)
				if !store.OfMachine(err) {
					err = &DamagedError{err, fmt.Sprintf("'capgraph verify %s' says how to have it made again", f.Dir)}
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
