package folder

import (
	"context"
	"iter"
	"path"

	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// fanIn is the largest number of runs of counts that are merged at a time.
const fanIn = 64

// CountRun is a sorted run of counts: a file of the folder, or a temporary file without a name.
type CountRun struct {
	name string
	temp *File
}

// openRows returns the rows of the run, and a function that closes it.
func (c CountRun) openRows(f Folder) (rows iter.Seq2[schemas.Count, error], close func() error, err error) {
	if c.temp != nil {
		return counts.Read(c.temp.temp, c.temp.bytes), func() error { return nil }, nil
	}
	file, err := f.Store.Open(f.Path(c.name))
	if err != nil {
		return nil, nil, err
	}
	return f.yieldCounts(c.name, file, counts.Read), file.Close, nil
}

// WriteTempRun writes rows, sorted by kind and key, to a temporary run, which the caller discards.
func (f Folder) WriteTempRun(rows iter.Seq2[schemas.Count, error]) (CountRun, error) {
	temp, err := f.CreateFile(path.Join(tempDir, "counts"))
	if err != nil {
		return CountRun{}, err
	}
	if err := counts.Write(temp, rows, parquetio.WriterOptions{}); err != nil {
		temp.Discard()
		return CountRun{}, err
	}
	return CountRun{temp: temp}, nil
}

// MergeFiles yields the sums of files of counts.
func (f Folder) MergeFiles(ctx context.Context, names []string) iter.Seq2[schemas.Count, error] {
	runs := make([]CountRun, len(names))
	for i, name := range names {
		runs[i].name = name
	}
	return f.MergeRuns(ctx, runs)
}

// MergeRuns yields the sums of runs. It merges more than fanIn of them in rounds, over temporary
// runs.
func (f Folder) MergeRuns(ctx context.Context, runs []CountRun) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) {
		fail := func(err error) { yield(schemas.Count{}, err) }
		for len(runs) > fanIn {
			var next []CountRun
			defer func() { DiscardRuns(next) }()
			for at := 0; at < len(runs); at += fanIn {
				run, err := f.WriteTempRun(f.MergeRuns(ctx, runs[at:min(at+fanIn, len(runs))]))
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
			rows, close, err := run.openRows(f)
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

// DiscardRuns removes the temporary runs.
func DiscardRuns(runs []CountRun) {
	for _, run := range runs {
		if run.temp != nil {
			run.temp.Discard()
		}
	}
}
