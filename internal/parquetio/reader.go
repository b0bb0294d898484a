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

// ReaderOptions selects what to read. The zero value reads everything.
type ReaderOptions struct {
	// Columns are the top-level columns to read, in that order; nil means all, in the order of the
	// file. COLUMN.FIELD is a field of a struct. A column that the file lacks is an error.
	Columns []string
	// Types are the types that columns must have if they are read. A column of another type is an
	// error: nothing is converted. Nullability and the names of list elements are not compared. If a
	// name occurs several times, one of its types must match.
	Types []arrow.Field
	// BatchRows is the largest number of rows in a batch; 0 is DefaultBatchRows.
	BatchRows int
	// BatchBytes is the largest size of the values and levels of a batch, unless one row has more; 0
	// is DefaultBatchBytes.
	BatchBytes int64
	// RowBytes is the largest size of a row: see LargeRowError; 0 is DefaultRowBytes.
	RowBytes int64
	// Mem allocates the batches; nil is memory.DefaultAllocator.
	Mem memory.Allocator
	// Limits bound the memory for the sizes that a file states; the zero value is DefaultLimits.
	// Only the function NewReader uses them.
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
	left    int64 // rows of the group that are not read yet
	row     int64 // the number of the next row in the file
	failure error
}

// LargeRowError is the error of a row that has more than ReaderOptions.RowBytes bytes in the
// selected columns. The reader skips the row, and can be used further.
type LargeRowError struct {
	Row   int64 // from 0
	Limit int64
}

// Error implements error.
func (e *LargeRowError) Error() string {
	return fmt.Sprintf("row %d has more than %d bytes", e.Row, e.Limit)
}

// NewReader opens a Parquet file of size bytes. The error says whether the file is not Parquet, cut
// off or damaged, or which column is missing or has another type than required.
func NewReader(r io.ReaderAt, size int64, o ReaderOptions) (*Reader, error) {
	f, err := Open(r, size, o.Limits)
	if err != nil {
		return nil, err
	}
	return f.NewReader(o)
}

// NewReader returns a reader at the beginning of the file, with the limits of Open.
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

// chooseColumns builds the columns that the options select, and the schema.
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

// checkType returns an error if Types has the column name, and not with the type has.
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

// Schema returns the schema of the batches.
func (p *Reader) Schema() *arrow.Schema { return p.schema }

// NumRows returns the number of rows that the file states.
func (p *Reader) NumRows() int64 { return p.file.NumRows() }

// Metadata returns the key-value pairs of the footer.
func (p *Reader) Metadata() map[string]string {
	m := map[string]string{}
	for _, kv := range p.file.file.Metadata().KeyValueMetadata {
		m[kv.Key] = kv.Value
	}
	return m
}

// Next returns the next batch, which the caller releases, or io.EOF after the last one. After an
// error other than a LargeRowError, the reader can be used again only after SeekToRow.
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

// readRows reads up to most rows of a batch from all leaves, and returns their number. With a
// LargeRowError it has skipped one row, and read no other.
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

// takeAny reads the next row, of any size, and returns its bytes. If the row exceeds RowBytes, it is
// skipped, the batch is dropped, and the error is a LargeRowError.
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

// rowsThatFit returns how many of the next rows, at most most, fit into room bytes, and their size.
// whole is true if they end in the current pages of all leaves.
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

// sizeOfRows returns the bytes of the next rows, which must end in the current pages.
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

// SeekToRow makes row, counted from 0, the first row of the next batch. The row NumRows is the end
// of the file.
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

// Close frees the memory of the reader. It does not close the io.ReaderAt.
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

// recoverAsError turns a panic that damaged bytes caused into an error.
func recoverAsError(doing string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: the file is damaged: %v", doing, r)
	}
}
