package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
)

// MaxImageRows is the largest number of captions of an image that are kept in one batch and shard, and MaxImageBytes
// the largest size of their texts in a batch. Further captions are treated as those of another image. 1,024 texts of
// 1,000 characters are below MaxImageBytes.
const (
	MaxImageRows  = 1024
	MaxImageBytes = 4 << 20
)

// A batch has at least BatchRows rows or BatchBytes bytes, and all rows of its last image.
const (
	BatchRows  = 1024
	BatchBytes = parquetio.DefaultBatchBytes
)

// ReadShard opens the Parquet file that a pass wrote for a shard, for the named columns and the optional ones that it has. Its batches have all captions of an image together.
func (f Folder) ReadShard(mem memory.Allocator, pass Pass, shard string, columns []string, optional ...string) (*ShardRows, error) {
	file, err := f.Store.Open(f.Path(DataFile(pass, shard)))
	if err != nil {
		return nil, f.missingFileError(pass, shard, err)
	}
	bad := func(err error) error { return f.unreadableError(pass, shard, err) }
	r, err := openReader(file, mem, columns, optional)
	if err != nil {
		file.Close()
		return nil, bad(err)
	}
	return &ShardRows{bad: bad, file: file, reader: r, mem: mem, whole: countWholeImages}, nil
}

// openReader opens columns of a file, and the optional ones that it has.
func openReader(file store.File, mem memory.Allocator, columns, optional []string) (*parquetio.Reader, error) {
	p, err := parquetio.Open(file, file.Size(), parquetio.Limits{})
	if err != nil {
		return nil, err
	}
	columns = slices.Clip(columns)
	for _, name := range optional {
		if columns != nil && slices.Contains(p.Columns(), name) {
			columns = append(columns, name)
		}
	}
	return p.NewReader(parquetio.ReaderOptions{Columns: columns, BatchRows: BatchRows, Mem: mem})
}

// missingFileError returns err, of opening a file of a shard, with the reason and the remedy.
func (f Folder) missingFileError(pass Pass, shard string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	e, failed := f.ReadEntry(pass, shard)
	if failed != nil { // it was never made
		return err
	}
	return &MissingFileError{Dir: f.Dir, Pass: pass, File: f.Path(DataFile(pass, shard)), Remedy: f.RebuildHint(pass, shard, e)}
}

// LastImageKey returns the image key of the last row of a shard of graphs/; "" if it has no rows.
func (f Folder) LastImageKey(shard string) (image string, err error) {
	file, err := f.Store.Open(f.Path(DataFile(PassParse, shard)))
	if err != nil {
		return "", err
	}
	defer file.Close()
	r, err := parquetio.NewReader(file, file.Size(), parquetio.ReaderOptions{Columns: []string{schemas.ColImageKey}})
	if err != nil {
		return "", f.unreadableError(PassParse, shard, err)
	}
	defer r.Close()
	if r.NumRows() == 0 {
		return "", nil
	}
	var rec arrow.Record
	if err = r.SeekToRow(r.NumRows() - 1); err == nil {
		rec, err = r.Next()
	}
	if err != nil {
		return "", f.unreadableError(PassParse, shard, err)
	}
	defer rec.Release()
	keys, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return "", f.unreadableError(PassParse, shard, err)
	}
	return strings.Clone(keys.Value(keys.Len() - 1)), nil
}

// HasColumn reports whether the file that a pass wrote for a shard has a column.
func (f Folder) HasColumn(pass Pass, shard, column string) (bool, error) {
	file, err := f.Store.Open(f.Path(DataFile(pass, shard)))
	if err != nil {
		return false, err
	}
	defer file.Close()
	p, err := parquetio.Open(file, file.Size(), parquetio.Limits{})
	if err != nil {
		return false, f.unreadableError(pass, shard, err)
	}
	return slices.Contains(p.Columns(), column), nil
}

// unreadableError returns err, met in the file of a shard, with the remedy.
func (f Folder) unreadableError(pass Pass, shard string, err error) error {
	return f.unreadableFileError(pass, shard, DataFile(pass, shard), err)
}

// unreadableFileError returns err, met in a file of a shard, with the remedy.
func (f Folder) unreadableFileError(pass Pass, shard, name string, err error) error {
	err = fmt.Errorf("%s: %w", f.Path(name), err)
	if store.IsEnvironmentError(err) {
		return err
	}
	e, _ := f.ReadEntry(pass, shard) // its files are named if it can be read
	return &DamagedError{err, f.RebuildHint(pass, shard, e)}
}

// ShardRows reads the rows of a shard in batches. Each batch ends with the last row of an image, or
// of a part of an image that is kept together.
type ShardRows struct {
	bad    func(error) error
	file   store.File
	reader *parquetio.Reader
	mem    memory.Allocator
	// whole returns how many rows of rec form whole images or groups.
	whole func(rec arrow.Record, ended bool) (int64, error)
	rest  arrow.Record // begins the next batch; nil if there is none
	ended bool
}

// Next returns a batch, which the caller releases, and no rejects. The error is io.EOF at the end,
// and a *DamagedError if the file is damaged.
func (b *ShardRows) Next() (arrow.Record, []Reject, error) {
	for {
		if b.rest != nil {
			whole, err := b.whole(b.rest, b.ended)
			if err != nil {
				return nil, nil, b.bad(err)
			}
			if whole > 0 {
				return b.takeRows(whole), nil, nil
			}
		}
		if b.ended {
			return nil, nil, io.EOF
		}
		rec, err := b.reader.Next()
		if errors.Is(err, io.EOF) {
			b.ended = true
			continue
		}
		if err == nil {
			b.rest, err = concatenate(b.mem, b.rest, rec)
		}
		if err != nil {
			return nil, nil, b.bad(err)
		}
	}
}

// takeRows takes the first n rows of the rest.
func (b *ShardRows) takeRows(n int64) arrow.Record {
	rec, rest := b.rest.NewSlice(0, n), b.rest.NewSlice(n, b.rest.NumRows())
	b.rest.Release()
	if b.rest = rest; rest.NumRows() == 0 {
		rest.Release()
		b.rest = nil
	}
	return rec
}

// concatenate returns rest, which may be nil, followed by rec. It takes ownership of both.
func concatenate(mem memory.Allocator, rest, rec arrow.Record) (arrow.Record, error) {
	if rest == nil {
		return rec, nil
	}
	defer rec.Release()
	defer rest.Release()
	columns := make([]arrow.Array, rec.NumCols())
	for i := range columns {
		c, err := array.Concatenate([]arrow.Array{rest.Column(i), rec.Column(i)}, mem)
		if err != nil {
			return nil, err
		}
		defer c.Release()
		columns[i] = c
	}
	return array.NewRecord(rec.Schema(), columns, rest.NumRows()+rec.NumRows()), nil
}

// countWholeImages returns how many rows come before the last image of rec; all, if that image has
// reached the bound of an image's rows, or if no more rows come.
func countWholeImages(rec arrow.Record, ended bool) (int64, error) {
	if ended {
		return rec.NumRows(), nil
	}
	keys, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return 0, err
	}
	n := keys.Len()
	i := n - 1
	for i > 0 && keys.Value(i-1) == keys.Value(n-1) {
		i--
	}
	size := 0
	if rec.Schema().HasField(schemas.ColText) {
		texts, err := schemas.Column[*array.String](rec, schemas.ColText)
		if err != nil {
			return 0, err
		}
		for j := i; j < n; j++ {
			size += len(texts.Value(j))
		}
	}
	if n-i >= MaxImageRows || size >= MaxImageBytes {
		return int64(n), nil
	}
	return int64(i), nil
}

// Close closes the file.
func (b *ShardRows) Close() error {
	if b.rest != nil {
		b.rest.Release()
	}
	b.reader.Close()
	return b.file.Close()
}
