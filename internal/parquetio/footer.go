package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits bound the memory that a Parquet file may make its reader allocate.
type Limits struct {
	FooterBytes int64 // of the footer
	PageBytes   int64 // of a page, before and after decompression
	PageValues  int64 // values in a page, nulls included
	HeldBytes   int64 // of the pages and dictionaries that all columns hold at one time
}

// DefaultLimits returns limits that are far above what writers make: pages usually have 1 MB.
func DefaultLimits() Limits {
	return Limits{FooterBytes: 64 << 20, PageBytes: 256 << 20, PageValues: 16 << 20, HeldBytes: 1 << 30}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.FooterBytes == 0 {
		l.FooterBytes = d.FooterBytes
	}
	if l.PageBytes == 0 {
		l.PageBytes = d.PageBytes
	}
	if l.PageValues == 0 {
		l.PageValues = d.PageValues
	}
	if l.HeldBytes == 0 {
		l.HeldBytes = d.HeldBytes
	}
	return l
}

// File is a Parquet file whose footer has been read and checked.
type File struct {
	file   *parquet.File
	source io.ReaderAt
	limits Limits
}

// errCutOff is the error of a file that begins with PAR1 and does not end with it.
var errCutOff = fmt.Errorf("is Parquet, cut off at its end: it does not end with PAR1 (%w)", io.ErrUnexpectedEOF)

// errEncrypted is the error of a file whose footer or columns are encrypted.
var errEncrypted = errors.New("is encrypted Parquet, which capgraph has no keys for: decrypt it, such as with pyarrow, and write it anew")

// signatureBytes is the length of the signature behind the footer of an encrypted file, if the footer
// itself is not.
const signatureBytes = 28

var errNotParquet = errors.New("is no Parquet file: it does not begin and end with PAR1")

// Open reads the footer of a file of size bytes. The sizes that the footer states are checked before memory
// is allocated for them. If the file is not Parquet, is cut off or damaged, the error says so. The zero
// Limits are DefaultLimits.
func Open(r io.ReaderAt, size int64, l Limits) (f *File, err error) {
	defer recoverAsError("opening Parquet", &err)
	l = l.orDefault()
	if err := l.checkFooter(r, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("opening Parquet: %w", err)
	}
	return &File{file, r, l}, nil
}

// NumRows returns the number of rows that the footer states.
func (f *File) NumRows() int64 { return f.file.NumRows() }

// Columns returns the names of the top-level columns, in the order of the file.
func (f *File) Columns() []string {
	var names []string
	for _, c := range f.file.Root().Columns() {
		names = append(names, c.Name())
	}
	return names
}

// Type returns the type of a top-level column, or an error if the column is missing or has a type that
// cannot be read.
func (f *File) Type(name string) (t arrow.DataType, err error) {
	defer recoverAsError("reading the schema", &err)
	n, err := f.findNode(name)
	if err != nil {
		return nil, err
	}
	return n.field.Type, nil
}

// Has reports whether there is a column of that name, or a field of a struct or of a list of structs by the
// name COLUMN.FIELD.
func (f *File) Has(name string) bool {
	c, _ := f.findColumn(name)
	return c != nil
}

// findColumn returns a column or, for COLUMN.FIELD, a field of a column that is a struct or a list of
// structs, and that column as its parent. found is nil if there is none.
func (f *File) findColumn(name string) (found, parent *parquet.Column) {
	all := f.file.Root().Columns()
	if at := columnAt(all, name); at >= 0 {
		return all[at], nil
	}
	for dot, r := range name { // both the column and the field may have dots in their names
		if r != '.' {
			continue
		}
		at := columnAt(all, name[:dot])
		if at < 0 || all[at].Leaf() || all[at].Repeated() {
			continue
		}
		fields := all[at].Columns()
		if inner := listInside(all[at]); inner != nil {
			if !isElement(all[at], inner) {
				inner = inner.Columns()[0]
			}
			if inner.Leaf() || listInside(inner) != nil {
				continue
			}
			fields = inner.Columns()
		}
		if i := columnAt(fields, name[dot+1:]); i >= 0 {
			return fields[i], all[at]
		}
	}
	return nil, nil
}

func columnAt(all []*parquet.Column, name string) int {
	return slices.IndexFunc(all, func(c *parquet.Column) bool { return c.Name() == name })
}

func (f *File) findNode(name string) (*readNode, error) {
	c, parent := f.findColumn(name)
	if c == nil {
		return nil, fmt.Errorf("column %q is missing; the file has %q", name, f.Columns())
	}
	if parent == nil {
		return newReadNode(c, level{}, 0, 0)
	}
	if listInside(parent) != nil {
		return newFieldList(parent, c.Name(), name)
	}
	def := byte(0)
	if parent.Optional() {
		def = 1
	}
	n, err := newReadNode(c, level{}, def, 1)
	if err == nil {
		n.field.Name, n.field.Nullable = name, n.field.Nullable || parent.Optional()
	}
	return n, err
}

// checkFooter checks the parts of a footer that parquet-go uses unchecked.
func (l Limits) checkFooter(r io.ReaderAt, size int64) error {
	var head [4]byte
	var tail [8]byte
	if size < int64(len(head)+len(tail)) {
		return errNotParquet
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return err
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(head[:]) == "PARE" && string(tail[4:]) == "PARE" {
		return errEncrypted
	}
	if string(head[:]) == "PAR1" && string(tail[4:]) != "PAR1" {
		return errCutOff
	}
	if string(head[:]) != "PAR1" || string(tail[4:]) != "PAR1" {
		return errNotParquet
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-int64(len(head)+len(tail)) || n > l.FooterBytes {
		return fmt.Errorf("claims %d bytes of metadata", n)
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-int64(len(tail))-n); err != nil {
		return err
	}
	length, err := thriftSize(footer)
	if err != nil {
		return err
	}
	if len(footer)-length == signatureBytes {
		return errEncrypted
	}
	var meta format.FileMetaData
	if err := thrift.Unmarshal(&thrift.CompactProtocol{}, footer, &meta); err != nil {
		return err
	}
	return checkMetadata(&meta, size)
}

// checkMetadata returns an error if the sizes and offsets of row groups in the footer contradict each other
// or the size of the file.
func checkMetadata(meta *format.FileMetaData, size int64) error {
	leaves, rest, err := checkSchema(meta.Schema, 0)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return errors.New("the schema has several roots")
	}
	rows := int64(0)
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if len(g.Columns) != leaves {
			return fmt.Errorf("row group %d has %d columns, the schema %d", i, len(g.Columns), leaves)
		}
		if g.NumRows < 0 {
			return fmt.Errorf("row group %d claims %d rows", i, g.NumRows)
		}
		rows += g.NumRows
		for j := range g.Columns {
			begin, n := chunkBounds(&g.Columns[j].MetaData)
			if begin < 0 || n < 0 || begin > size || n > size-begin {
				return fmt.Errorf("column %d of row group %d lies outside of the file", j, i)
			}
		}
	}
	if rows != meta.NumRows {
		return fmt.Errorf("claims %d rows, its row groups %d", meta.NumRows, rows)
	}
	return nil
}

// checkSchema checks the first element of schema and all elements below it. It returns their number of
// leaves, and the elements after them.
func checkSchema(schema []format.SchemaElement, depth int) (leaves int, rest []format.SchemaElement, err error) {
	if len(schema) == 0 {
		return 0, nil, errors.New("the schema is damaged")
	}
	if depth > thriftDepth {
		return 0, nil, fmt.Errorf("column %q is nested more than %d deep", schema[0].Name, thriftDepth)
	}
	children := int32(0)
	if schema[0].NumChildren.Valid {
		children = schema[0].NumChildren.V
	}
	rest = schema[1:]
	if children <= 0 {
		return 1, rest, nil
	}
	for range children {
		var n int
		if n, rest, err = checkSchema(rest, depth+1); err != nil {
			return 0, nil, err
		}
		leaves += n
	}
	return leaves, rest, nil
}

// chunkBounds returns the offset of the pages of a column chunk, and their size in bytes.
func chunkBounds(m *format.ColumnMetaData) (begin, n int64) {
	begin = m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		begin = m.DictionaryPageOffset
	}
	return begin, m.TotalCompressedSize
}
