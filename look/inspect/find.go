package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// Place is a row of a shard.
type Place struct {
	Shard string
	Row   int64
}

// Query says which rows are looked for. An empty field takes all.
type Query struct {
	// Key is that of a row. Image is an image_key or an image.
	Key, Image string
	// Shard is the only one that is looked into.
	Shard string
}

// String is what is looked for, in words.
func (w Query) String() string {
	var said []string
	if w.Key != "" {
		said = append(said, fmt.Sprintf("the key %q", w.Key))
	}
	if w.Image != "" {
		said = append(said, fmt.Sprintf("the image or image_key %q", w.Image))
	}
	return strings.Join(said, " and ")
}

// Find returns where the first row that is wanted is in what a pass made of shards.
func Find(ctx context.Context, f folder.Folder, pass folder.Pass, want Query) (Place, error) {
	for place, err := range FindAll(ctx, f, pass, want) {
		return place, err
	}
	return Place{}, &NoRowError{f, pass, want}
}

// FindAll gives the places of all rows that are wanted, in their order. It reads the
// columns that say which they are alone, and ends with the error of ctx when that is done.
func FindAll(ctx context.Context, f folder.Folder, pass folder.Pass, want Query) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		shards, err := PresentShards(f, pass)
		if err != nil {
			yield(Place{}, err)
			return
		}
		for _, s := range shards {
			if want.Shard != "" && want.Shard != s.Shard {
				continue
			}
			row := int64(0)
			for is, err := range readRows(f, pass, s.Shard, 0, want.columns(), want.matcher) {
				if row%1024 == 0 {
					err = cmp.Or(err, ctx.Err())
				}
				if err != nil {
					yield(Place{}, err)
					return
				}
				if *is && !yield(Place{s.Shard, row}, nil) {
					return
				}
				row++
			}
		}
	}
}

func (w Query) columns() []string {
	var columns []string
	if w.Key != "" {
		columns = append(columns, schemas.ColKey)
	}
	if w.Image != "" {
		columns = append(columns, schemas.ColImageKey, schemas.ColImage)
	}
	if len(columns) == 0 {
		columns = append(columns, schemas.ColKey)
	}
	return columns
}

// matcher tells which rows of a batch are wanted.
func (w Query) matcher(rec arrow.Record) (func(int) (*bool, error), error) {
	c, err := schemas.Strings(rec, w.columns()...)
	if err != nil {
		return nil, err
	}
	var is bool
	return func(i int) (*bool, error) {
		images := c
		if is = true; w.Key != "" {
			is, images = c[0].Value(i) == w.Key, c[1:]
		}
		if w.Image != "" {
			is = is && (images[0].Value(i) == w.Image || images[1].Value(i) == w.Image)
		}
		return &is, nil
	}, nil
}

// NoRowError says that no row of an output folder is wanted.
type NoRowError struct {
	folder folder.Folder
	pass   folder.Pass
	want   Query
}

func (e *NoRowError) Error() string {
	return fmt.Sprintf("%s has no row with %s: 'capgraph cat --columns key,image_key,image %s' lists them, 'capgraph rejects %s' those that were left out",
		e.folder.Path(e.pass.Output()), e.want, text.Quote(e.folder.Path(e.pass.Output()))+"/*.parquet", text.Quote(e.folder.Dir))
}

// FindReject returns why parsing left out the row of a key; nil where it did not.
func FindReject(ctx context.Context, f folder.Folder, key string) (*folder.Reject, error) {
	shards, err := FinishedShards(f, folder.PassParse)
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r, err := FindShardReject(f, folder.PassParse, s.Shard, key); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// FindShardReject returns why a pass left out the row of a key of a shard; nil where it
// did not, or has not come to the shard.
func FindShardReject(f folder.Folder, pass folder.Pass, shard, key string) (*folder.Reject, error) {
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

// FinishedShards lists the finished shards of a pass with their rows.
func FinishedShards(f folder.Folder, pass folder.Pass) ([]*folder.Entry, error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	if len(state.Index.Shards) == 0 {
		return nil, fmt.Errorf("%s %w: its source has no rows", f.Path(pass.Output()), ErrNoShard)
	}
	entries, err := state.Entries(pass)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s %w: finish 'capgraph run' with output.dir %s first", f.Path(pass.Output()), ErrNoShard, f.Dir)
	}
	return entries, nil
}

// PresentShards lists the finished shards of a pass whose files are there:
// what can be shown. The error says what to do where none is.
func PresentShards(f folder.Folder, pass folder.Pass) ([]*folder.Entry, error) {
	shards, err := FinishedShards(f, pass)
	if err != nil {
		return nil, err
	}
	var present []*folder.Entry
	for _, s := range shards {
		_, err := f.Store.Stat(f.Path(folder.Data(pass, s.Shard)))
		switch {
		case err == nil:
			present = append(present, s)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if len(present) == 0 {
		state, err := f.Read()
		if err != nil {
			return nil, err
		}
		return nil, state.CheckWhole(pass)
	}
	return present, nil
}

// TextsAt reads one row of texts/.
func TextsAt(f folder.Folder, at Place) (*schemas.TextsRow, error) {
	for row, err := range ReadTexts(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(folder.Data(folder.PassTexts, at.Shard)), at.Row, io.ErrUnexpectedEOF)
}

// GraphAt reads one row of graphs/.
func GraphAt(f folder.Folder, at Place) (*GraphRow, error) {
	for row, err := range ReadGraphs(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(folder.Data(folder.PassParse, at.Shard)), at.Row, io.ErrUnexpectedEOF)
}
