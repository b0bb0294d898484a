package parquetio

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// DefaultBatchRows is how many rows a batch of a Reader holds at most.
const DefaultBatchRows = 1024

// ReaderOptions says what to read. The zero value reads everything.
type ReaderOptions struct {
	// Columns are the top-level columns to read, in that order; nil is all of
	// them in the order of the file. One that the file lacks is an error.
	Columns []string
	// Types are the types that columns must have if they are read. A column of
	// another type is an error: nothing is converted. Null or not, and the
	// name of list elements, are not compared.
	Types []arrow.Field
	// BatchRows is the most rows in a batch; 0 is DefaultBatchRows.
	BatchRows int
	// Mem is where batches are allocated; nil is memory.DefaultAllocator.
	Mem memory.Allocator
	// Limits bound what a file may ask for; the zero value is DefaultLimits.
	// They are NewReader's alone.
	Limits Limits
}

// Reader reads any Parquet file as record batches. A batch never spans
// two row groups. Not safe for concurrent use.
type Reader struct {
	file    *File
	unpack  unpacker
	schema  *arrow.Schema
	columns []*readNode
	leaves  []*leafReader
	options ReaderOptions

	group   int   // the row group being read
	left    int64 // rows of it that are not read yet
	failure error
}

// NewReader opens a Parquet file of size bytes. A file that is not
// Parquet, is cut off or damaged, a column that is missing or of another type
// than asked for are errors that name what is wrong.
func NewReader(r io.ReaderAt, size int64, o ReaderOptions) (*Reader, error) {
	f, err := Open(r, size, o.Limits)
	if err != nil {
		return nil, err
	}
	return f.NewReader(o)
}

// NewReader reads the file from its beginning, within the limits that it was
// opened with.
func (f *File) NewReader(o ReaderOptions) (p *Reader, err error) {
	defer recoverAsError("opening Parquet", &err)
	if o.BatchRows <= 0 {
		o.BatchRows = DefaultBatchRows
	}
	if o.Mem == nil {
		o.Mem = memory.DefaultAllocator
	}
	p = &Reader{file: f, options: o}
	if err := p.choose(); err != nil {
		return nil, err
	}
	return p, p.openGroup(0)
}

// choose builds the columns that the options ask for, and the schema.
func (p *Reader) choose() error {
	names := p.options.Columns
	if names == nil {
		names = p.file.Columns()
	}
	var fields []arrow.Field
	for _, name := range names {
		n, err := p.file.node(name)
		if err != nil {
			return err
		}
		for _, want := range p.options.Types {
			if want.Name == name && !SameShape(n.field.Type, want.Type) {
				return fmt.Errorf("column %q: want %s, the file has %s", name, want.Type, n.field.Type)
			}
		}
		fields = append(fields, n.field)
		p.columns = append(p.columns, n)
		p.leaves = n.appendLeaves(p.leaves)
	}
	p.schema = arrow.NewSchema(fields, nil)
	return nil
}

// Schema is what batches look like.
func (p *Reader) Schema() *arrow.Schema { return p.schema }

// NumRows is how many rows the file says that it has.
func (p *Reader) NumRows() int64 { return p.file.NumRows() }

// Metadata are the key-value pairs of the footer.
func (p *Reader) Metadata() map[string]string {
	m := map[string]string{}
	for _, kv := range p.file.file.Metadata().KeyValueMetadata {
		m[kv.Key] = kv.Value
	}
	return m
}

// Next returns the next batch, which the caller releases, or io.EOF after the
// last one. After an error the reader is of no use until SeekToRow.
func (p *Reader) Next() (rec arrow.Record, err error) {
	if p.failure != nil {
		return nil, p.failure
	}
	defer func() { p.failure = err }()
	for p.left == 0 {
		if p.group+1 >= len(p.file.file.RowGroups()) {
			return nil, io.EOF
		}
		if err := p.openGroup(p.group + 1); err != nil {
			return nil, err
		}
	}
	rows := int(min(p.left, int64(p.options.BatchRows)))
	columns := make([]arrow.Array, len(p.columns))
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	if err := p.readLeaves(rows); err != nil {
		return nil, err
	}
	if err := p.assemble(columns, rows); err != nil {
		return nil, err
	}
	p.left -= int64(rows)
	return array.NewRecord(p.schema, columns, int64(rows)), nil
}

func (p *Reader) readLeaves(rows int) (err error) {
	for _, l := range p.leaves {
		if err := l.read(rows, p.options); err != nil {
			return fmt.Errorf("column %q, row group %d: %w", l.path, p.group, err)
		}
	}
	return nil
}

func (p *Reader) assemble(columns []arrow.Array, rows int) (err error) {
	defer recoverAsError("assembling a batch", &err)
	for i, c := range p.columns {
		data, err := c.assemble(p.options.Mem, rows)
		if err != nil {
			return fmt.Errorf("column %q, row group %d: %w", c.field.Name, p.group, err)
		}
		columns[i] = array.MakeFromData(data)
		data.Release()
	}
	return nil
}

// SeekToRow makes row, counted from 0, the first of the next batch. NumRows is
// the end of the file.
func (p *Reader) SeekToRow(row int64) error {
	if row < 0 || row > p.NumRows() {
		return fmt.Errorf("row %d of a file with %d rows", row, p.NumRows())
	}
	p.failure = nil
	groups := p.file.file.RowGroups()
	i := 0
	for i < len(groups)-1 && row >= groups[i].NumRows() {
		row -= groups[i].NumRows()
		i++
	}
	if err := p.openGroup(i); err != nil {
		return err
	}
	for _, l := range p.leaves {
		if err := l.skip(row); err != nil {
			return fmt.Errorf("column %q, row group %d: %w", l.path, i, err)
		}
	}
	p.left -= row
	return nil
}

// Close frees what the reader holds. It does not close the io.ReaderAt.
func (p *Reader) Close() error {
	p.failure = errors.New("the Parquet reader is closed")
	for _, l := range p.leaves {
		l.close()
	}
	p.unpack.close()
	return nil
}

func (p *Reader) openGroup(i int) (err error) {
	defer recoverAsError("opening a row group", &err)
	groups := p.file.file.RowGroups()
	p.group, p.left = i, 0
	if i >= len(groups) {
		return nil
	}
	p.left = groups[i].NumRows()
	for _, l := range p.leaves {
		l.open(p.file, i, &p.unpack)
	}
	return nil
}

// recoverAsError turns a panic over damaged bytes into an error.
func recoverAsError(doing string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: the file is damaged: %v", doing, r)
	}
}
