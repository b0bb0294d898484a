package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// Query selects rows. An empty field matches all rows.
type Query struct {
	// Key is the key of a row. Image is the image_key or the image of rows.
	Key, Image string
	// Shard is the only shard to search.
	Shard string
}

// String returns the query in words.
func (q Query) String() string {
	var parts []string
	if q.Key != "" {
		parts = append(parts, fmt.Sprintf("the key %q", q.Key))
	}
	if q.Image != "" {
		parts = append(parts, fmt.Sprintf("the image or image_key %q", q.Image))
	}
	return strings.Join(parts, " and ")
}

// Find returns the first row of a pass's output that matches a query, or a *NoRowError.
func Find(ctx context.Context, f folder.Folder, pass folder.Pass, want Query) (schemas.RowRef, error) {
	for place, err := range FindAll(ctx, f, pass, want) {
		return place, err
	}
	return schemas.RowRef{}, &NoRowError{f, pass, want}
}

// FindAll yields all rows of a pass's output that match a query, in order. It reads only the columns
// of the key, image key and image.
func FindAll(ctx context.Context, f folder.Folder, pass folder.Pass, want Query) iter.Seq2[schemas.RowRef, error] {
	return func(yield func(schemas.RowRef, error) bool) {
		shards, err := PresentShards(f, pass)
		if err != nil {
			yield(schemas.RowRef{}, err)
			return
		}
		for _, s := range shards {
			if want.Shard != "" && want.Shard != s.Shard {
				continue
			}
			row := int64(0)
			for matches, err := range readRows(f, pass, s.Shard, 0, want.columns(), want.matcher) {
				if row%1024 == 0 {
					err = cmp.Or(err, ctx.Err())
				}
				if err != nil {
					yield(schemas.RowRef{}, err)
					return
				}
				if *matches && !yield(schemas.RowRef{Shard: s.Shard, Row: row}, nil) {
					return
				}
				row++
			}
		}
	}
}

// columns returns the columns that matcher reads.
func (q Query) columns() []string {
	var columns []string
	if q.Key != "" {
		columns = append(columns, schemas.ColKey)
	}
	if q.Image != "" {
		columns = append(columns, schemas.ColImageKey, schemas.ColImage)
	}
	if len(columns) == 0 {
		columns = append(columns, schemas.ColKey)
	}
	return columns
}

// matcher returns a function that reports whether a row of a batch matches.
func (q Query) matcher(rec arrow.Record) (func(int) (*bool, error), error) {
	c, err := schemas.Strings(rec, q.columns()...)
	if err != nil {
		return nil, err
	}
	var matches bool
	return func(i int) (*bool, error) {
		images := c
		if matches = true; q.Key != "" {
			matches, images = c[0].Value(i) == q.Key, c[1:]
		}
		if q.Image != "" {
			matches = matches && (images[0].Value(i) == q.Image || images[1].Value(i) == q.Image)
		}
		return &matches, nil
	}, nil
}

// NoRowError is the error of a query that no row matches.
type NoRowError struct {
	folder folder.Folder
	pass   folder.Pass
	want   Query
}

func (e *NoRowError) Error() string {
	return fmt.Sprintf("%s has no row with %s: 'capgraph cat --columns key,image_key,image %s' lists its rows, 'capgraph rejects %s' the rows that were left out",
		e.folder.Path(e.pass.Output()), e.want, text.Quote(e.folder.Path(e.pass.Output()))+"/*.parquet", text.Quote(e.folder.Dir))
}

// FindReject returns the row with that key that the parse pass rejected; nil if there is none.
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

// FindShardReject returns the row with that key that a pass rejected in a shard; nil if there is
// none or the shard is not finished.
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

// ErrNoShard is wrapped by the error of FinishedShards if no shard is finished.
var ErrNoShard = errors.New("has no finished shard")

// ErrNoRow is wrapped by the error of a row number that a shard does not have.
var ErrNoRow = errors.New("there are fewer rows")

// FinishedShards returns the entries of the finished shards of a pass.
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

// PresentShards returns the entries of the finished shards of a pass whose files exist. If there is
// none, the error says what to do.
func PresentShards(f folder.Folder, pass folder.Pass) ([]*folder.Entry, error) {
	shards, err := FinishedShards(f, pass)
	if err != nil {
		return nil, err
	}
	var present []*folder.Entry
	for _, s := range shards {
		_, err := f.Store.Stat(f.Path(folder.DataFile(pass, s.Shard)))
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
		return nil, state.CheckComplete(pass)
	}
	return present, nil
}

// TextsAt returns the row of texts/ at that place.
func TextsAt(f folder.Folder, at schemas.RowRef) (*schemas.TextsRow, error) {
	for row, err := range ReadTexts(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(folder.DataFile(folder.PassTexts, at.Shard)), at.Row, ErrNoRow)
}

// GraphAt returns the row of graphs/ at that place.
func GraphAt(f folder.Folder, at schemas.RowRef) (*GraphRow, error) {
	for row, err := range ReadGraphs(f, at.Shard, at.Row) {
		return row, err
	}
	return nil, fmt.Errorf("%s has no row %d: %w", f.Path(folder.DataFile(folder.PassParse, at.Shard)), at.Row, ErrNoRow)
}
