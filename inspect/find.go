package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/stages"
)

// Place is a row of a shard.
type Place struct {
	Shard string
	Row   int64
}

// Find returns where the row of a key is in an output folder: stages.Graphs or
// stages.Texts. It reads the column of keys alone.
func Find(f pipeline.Folder, output, key string) (Place, error) {
	shards, err := Present(f, output)
	if err != nil {
		return Place{}, err
	}
	for _, s := range shards {
		row := int64(0)
		keys := rows(f, output, s.Shard, 0, []string{schemas.ColKey}, func(rec arrow.Record) (func(int) (*string, error), error) {
			c, err := schemas.Strings(rec, schemas.ColKey)
			if err != nil {
				return nil, err
			}
			var k string
			return func(i int) (*string, error) { k = c[0].Value(i); return &k, nil }, nil
		})
		for k, err := range keys {
			if err != nil {
				return Place{}, err
			}
			if *k == key {
				return Place{s.Shard, row}, nil
			}
			row++
		}
	}
	return Place{}, &NoRowError{f, output, key}
}

// NoRowError says that a key is not in an output folder.
type NoRowError struct {
	folder      pipeline.Folder
	output, key string
}

func (e *NoRowError) Error() string {
	return fmt.Sprintf("%s has no row with the key %q: 'capgraph cat --columns key %s' lists them, 'capgraph rejects %s' those that were left out",
		e.folder.Path(e.output), e.key, e.folder.Path(e.output, "*.parquet"), e.folder.Dir)
}

// FindReject returns why parsing left out the row of a key; nil where it did not.
func FindReject(f pipeline.Folder, key string) (*pipeline.Reject, error) {
	shards, err := Shards(f, stages.Graphs)
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		if r, err := RejectIn(f, stages.PassParse, s.Shard, key); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// RejectIn returns why a pass left out the row of a key of a shard; nil where it
// did not, or has not come to the shard.
func RejectIn(f pipeline.Folder, pass, shard, key string) (*pipeline.Reject, error) {
	for r, err := range ReadRejects(f, pass, shard) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case r.Key == key:
			return r, nil
		}
	}
	return nil, nil
}

// ErrNoShard is what Shards returns, wrapped, where no shard is finished.
var ErrNoShard = errors.New("holds no finished shard")

// Shards lists the finished shards of an output folder with their rows.
func Shards(f pipeline.Folder, output string) ([]*pipeline.Entry, error) {
	index, err := f.Index()
	if err != nil {
		return nil, err
	}
	if len(index.Shards) == 0 {
		return nil, fmt.Errorf("%s %w: its source has no rows", f.Path(output), ErrNoShard)
	}
	held, err := f.Held(passOf(output), index.Shards)
	if err != nil {
		return nil, err
	}
	if len(held.Entries) == 0 {
		return nil, fmt.Errorf("%s %w: finish 'capgraph run' with output.dir %s first", f.Path(output), ErrNoShard, f.Dir)
	}
	return held.Entries, nil
}

// Present lists the finished shards of an output folder whose files are there:
// what can be shown. The error says what to do where none is.
func Present(f pipeline.Folder, output string) ([]*pipeline.Entry, error) {
	shards, err := Shards(f, output)
	if err != nil {
		return nil, err
	}
	var present []*pipeline.Entry
	for _, s := range shards {
		_, err := f.Store.Stat(f.Path(pipeline.Data(output, s.Shard)))
		switch {
		case err == nil:
			present = append(present, s)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if len(present) == 0 {
		_, err := f.Whole(passOf(output))
		return nil, err
	}
	return present, nil
}

// passOf is the pass that makes an output folder.
func passOf(output string) string {
	if output == stages.Texts {
		return stages.PassTexts
	}
	return stages.PassParse
}

// TextsAt reads one row of texts/.
func TextsAt(f pipeline.Folder, at Place) (*schemas.TextsRow, error) {
	for row, err := range ReadTexts(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(pipeline.Data(stages.Texts, at.Shard)), at.Row, io.ErrUnexpectedEOF)
}

// GraphAt reads one row of graphs/.
func GraphAt(f pipeline.Folder, at Place) (*Graph, error) {
	for row, err := range ReadGraphs(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(pipeline.Data(stages.Graphs, at.Shard)), at.Row, io.ErrUnexpectedEOF)
}
