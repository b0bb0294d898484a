package export

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/store"
)

// Row is a row of texts/: a caption with its pool of positive and negative texts.
type Row = schemas.TextsRow

// cloneRow returns a copy of r with lists of its own.
func cloneRow(r *Row) *Row {
	c := *r
	c.Positives = append([]schemas.Positive(nil), r.Positives...)
	c.Negatives = append([]schemas.HardNegative(nil), r.Negatives...)
	return &c
}

// sizeOf returns the total length of the texts of a row in bytes.
func sizeOf(r *Row) int {
	n := len(r.Key) + len(r.ImageKey) + len(r.Image) + len(r.Text)
	for i := range r.Positives {
		n += len(r.Positives[i].Text)
	}
	for i := range r.Negatives {
		n += len(r.Negatives[i].Text)
	}
	return n
}

// NoTextsError is the error of a folder that has no texts.
type NoTextsError struct{ Dir string }

func (e *NoTextsError) Error() string {
	return fmt.Sprintf("%s has no texts/*.parquet: finish 'capgraph run' with output.dir %s first", e.Dir, e.Dir)
}

// ExitCode returns the exit code for incomplete input.
func (e *NoTextsError) ExitCode() int { return 3 }

// ListShards returns the files of dir/texts, sorted by name. In the output folder of a run, missing
// or foreign shards are an error. texts/ without .capgraph/ beside it counts as complete.
func ListShards(s store.Store, dir string) ([]string, error) {
	run := folder.Folder{Store: s, Dir: dir}
	state, err := run.Read()
	alone := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = state.CheckComplete(folder.PassTexts)
	}
	if err != nil && !alone {
		return nil, err
	}
	texts := run.Path(folder.PassTexts.Output())
	infos, err := s.List(texts)
	if errors.Is(err, fs.ErrNotExist) && !alone {
		return nil, fmt.Errorf("%s has no texts: its source has no rows", dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := s.Stat(dir); err != nil {
			return nil, err
		}
		return nil, &NoTextsError{dir}
	}
	if err != nil {
		return nil, err
	}
	var shards []string
	for _, f := range infos {
		base := path.Base(f.Name)
		shard, isParquet := strings.CutSuffix(base, ".parquet")
		if !f.Dir && isParquet && !strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_") {
			if !alone && !state.IsFinished(folder.PassTexts, folder.Shard{Name: shard}) {
				return nil, fmt.Errorf("%s was not made by the run, since no entry names it: move it to another folder", store.Join(texts, base))
			}
			shards = append(shards, store.Join(texts, base))
		}
	}
	if len(shards) == 0 {
		return nil, &NoTextsError{dir}
	}
	return shards, nil
}

// readRows yields the rows of all shards in order, up to the first error, which names the file. A row
// is valid until the next one.
func readRows(o Options, shards []string) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for _, shard := range shards {
			for row, err := range readShardRows(o, shard) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// readShardRows yields the rows of one shard, as readRows does.
func readShardRows(o Options, shard string) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := yieldShardRows(o, shard, yield); err != nil {
			yield(nil, fmt.Errorf("%s: %w", shard, err))
		}
	}
}

func yieldShardRows(o Options, shard string, yield func(*Row, error) bool) error {
	f, err := o.Store.Open(shard)
	if err != nil {
		return err
	}
	defer f.Close()
	for row, err := range schemas.ReadTexts(f, f.Size()) {
		if err != nil {
			return err
		}
		o.cut.dropEqual(row)
		if !yield(row, nil) {
			return nil
		}
	}
	return nil
}
