package parquetio

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Defaults of ReaderOptions.
const (
	DefaultBatchRows  = 1024
	DefaultBatchBytes = 8 << 20
	DefaultRowBytes   = 256 << 20
)

// ReaderOptions says what to read. The zero value reads everything.
type ReaderOptions struct {
	// Columns are the top-level columns to read, in that order; nil is all of
	// them in the order of the file. COLUMN.FIELD is a field of a struct. One that the file lacks is
	// an error.
	Columns []string
	// Types are the types that columns must have if they are read. A column of
	// another type is an error: nothing is converted. Null or not, and the
	// name of list elements, are not compared. Of several of one name, one must fit.
	Types []arrow.Field
	// BatchRows is the most rows in a batch; 0 is DefaultBatchRows.
	BatchRows int
	// BatchBytes is the most bytes of values and levels in a batch, unless one row has
	// more; 0 is DefaultBatchBytes.
	BatchBytes int64
	// RowBytes is the most bytes that a row may have: see LargeRowError; 0 is
	// DefaultRowBytes.
	RowBytes int64
	// Mem is where batches are allocated; nil is memory.DefaultAllocator.
	Mem memory.Allocator
	// Limits bound the memory that a file may claim; the zero value is DefaultLimits. They are
	// NewReader's alone.
	Limits Limits
}

// Reader reads any Parquet file as record batches. A batch never spans
// two row groups. Not safe for concurrent use.
type Reader struct {
	file    *File
	unpack  decompressor
	schema  *arrow.Schema
	columns []*readNode
	leaves  []*leafReader
	options ReaderOptions

	group   int   // the row group being read
	left    int64 // rows of it that are not read yet
	row     int64 // the next row of the file
	failure error
}

// LargeRowError says that a row has more bytes in the columns that are read than
// ReaderOptions.RowBytes. The reader passes over the row and can be read on.
type LargeRowError struct {
	Row   int64 // from 0
	Limit int64
}

// Error implements error.
func (e *LargeRowError) Error() string {
	return fmt.Sprintf("row %d has more than %d bytes", e.Row, e.Limit)
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
	if o.BatchBytes <= 0 {
		o.BatchBytes = DefaultBatchBytes
	}
	if o.RowBytes <= 0 {
		o.RowBytes = DefaultRowBytes
	}
	if o.Mem == nil {
		o.Mem = memory.DefaultAllocator
	}
	p = &Reader{file: f, options: o}
	if err := p.chooseColumns(); err != nil {
		return nil, err
	}
	return p, p.openGroup(0)
}

// chooseColumns builds the columns that the options ask for, and the schema.
func (p *Reader) chooseColumns() error {
	names := p.options.Columns
	if names == nil {
		names = p.file.Columns()
	}
	var fields []arrow.Field
	for _, name := range names {
		n, err := p.file.findNode(name)
		if err != nil {
			return err
		}
		if err := p.options.checkType(name, n.field.Type); err != nil {
			return err
		}
		fields = append(fields, n.field)
		p.columns = append(p.columns, n)
		p.leaves = n.appendLeaves(p.leaves)
	}
	p.schema = arrow.NewSchema(fields, nil)
	return nil
}

// checkType checks the type of a column that the file has.
func (o *ReaderOptions) checkType(name string, has arrow.DataType) (err error) {
	for _, want := range o.Types {
		switch {
		case want.Name != name:
		case SameShape(has, want.Type):
			return nil
		case err == nil:
			err = fmt.Errorf("column %q: want %s, the file has %s", name, want.Type, has)
		}
	}
	return err
}

// Schema is the schema of batches.
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
// last one. After an error other than a LargeRowError the reader is of no use until
// SeekToRow.
func (p *Reader) Next() (rec arrow.Record, err error) {
	if p.failure != nil {
		return nil, p.failure
	}
	defer func() {
		var large *LargeRowError
		if !errors.As(err, &large) {
			p.failure = err
		}
	}()
	for p.left == 0 {
		if p.group+1 >= len(p.file.file.RowGroups()) {
			return nil, io.EOF
		}
		if err := p.openGroup(p.group + 1); err != nil {
			return nil, err
		}
	}
	rows, err := p.readRows(int(min(p.left, int64(p.options.BatchRows))))
	p.left -= int64(rows)
	p.row += int64(rows)
	if err != nil {
		return nil, err
	}
	columns := make([]arrow.Array, len(p.columns))
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	if err := p.assemble(columns, rows); err != nil {
		return nil, err
	}
	return array.NewRecord(p.schema, columns, int64(rows)), nil
}

// readRows reads up to most rows of a batch from all leaves. With a
// LargeRowError it has passed over that row, which is the only one.
func (p *Reader) readRows(most int) (rows int, err error) {
	defer recoverAsError("decoding", &err)
	for _, l := range p.leaves {
		l.beginBatch(most, p.options)
	}
	for room := p.options.BatchBytes; rows < most; {
		n, size, whole, err := p.rowsThatFit(most-rows, room)
		if err != nil {
			return rows, err
		}
		if n == 0 && rows > 0 {
			break
		}
		if n > 0 && whole {
			err = p.takeRows(n)
		} else {
			n = 1
			size, err = p.takeAny()
		}
		var large *LargeRowError
		if errors.As(err, &large) && rows > 0 {
			if err := p.SeekToRow(p.row); err != nil {
				return 0, err
			}
			return p.readRows(rows) // without it
		}
		rows += n
		room -= size
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// takeRows reads the next rows of all leaves.
func (p *Reader) takeRows(rows int) error {
	for _, l := range p.leaves {
		if err := l.readRows(rows); err != nil {
			return p.ofLeaf(l, err)
		}
	}
	return nil
}

// takeAny reads the next row, of any size, and returns how many bytes it has. It
// passes over one that is larger than a row may be, and drops the batch.
func (p *Reader) takeAny() (size int64, err error) {
	room := p.options.RowBytes
	for _, l := range p.leaves {
		l.room = &room
		err := l.readRows(1)
		l.room = nil
		if err != nil {
			return 0, p.ofLeaf(l, err)
		}
	}
	if room >= 0 {
		return p.options.RowBytes - room, nil
	}
	for _, l := range p.leaves {
		l.dropValues()
	}
	return 0, &LargeRowError{Row: p.row, Limit: p.options.RowBytes}
}

// rowsThatFit returns how many of the next rows, at most a number, a batch takes that has room for
// some bytes, and their bytes. Whole says that they do not go on in another page.
func (p *Reader) rowsThatFit(most int, room int64) (rows int, size int64, whole bool, err error) {
	rows = most
	for _, l := range p.leaves {
		n, err := l.rowsAhead(rows)
		if err != nil {
			return 0, 0, false, p.ofLeaf(l, err)
		}
		rows = min(rows, n)
	}
	if rows == 0 {
		return 1, 0, false, nil
	}
	if size = p.sizeOfRows(rows); size <= room {
		return rows, size, true, nil
	}
	rows = sort.Search(rows, func(i int) bool { return p.sizeOfRows(i+1) > room })
	return rows, p.sizeOfRows(rows), true, nil
}

// sizeOfRows is how many bytes the next rows have, which are whole in their pages.
func (p *Reader) sizeOfRows(rows int) (size int64) {
	for _, l := range p.leaves {
		_, end := l.countRows(rows)
		size += l.sizeOf(end)
	}
	return size
}

func (p *Reader) ofLeaf(l *leafReader, err error) error {
	return fmt.Errorf("column %q, row group %d: %w", l.path, p.group, err)
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
	p.failure, p.row = nil, row
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
		if err := l.skipRows(row); err != nil {
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
		l.openGroup(p.file, i, &p.unpack)
	}
	return nil
}

// recoverAsError turns a panic over damaged bytes into an error.
func recoverAsError(doing string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: the file is damaged: %v", doing, r)
	}
}
