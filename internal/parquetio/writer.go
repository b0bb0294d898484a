package parquetio

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Defaults of WriterOptions: DuckDB's row group, and the size under which
// Hugging Face datasets wants one.
const (
	DefaultRowGroupRows  = 122_880
	DefaultRowGroupBytes = 100_000_000
)

const (
	// createdBy names no build: the bytes of a file must not depend on how the program was built.
	createdApplication, createdVersion, createdBuild = "parquet-go", "0.32.0", "capgraph"

	// A page ends after the row with which leafColumn.pageSize reaches pageBytes. pageSize is more
	// than the memory that parquet-go counts, and pageBytes is less than pageBufferBytes, at which
	// parquet-go ends a page. So pages depend on the rows alone.
	pageBytes       = 240 << 10
	pageBufferBytes = 256 << 10

	// dictionaryBytes is the size of a dictionary after which the remaining
	// pages of a column chunk are PLAIN.
	dictionaryBytes = 256 << 10

	// chunkRows is the number of rows that are shredded into values before these are encoded.
	chunkRows = 64
)

// WriterOptions determines row groups, dictionaries and metadata. The zero value is the default.
type WriterOptions struct {
	// RowGroupRows is the largest number of rows in a row group; 0 is DefaultRowGroupRows.
	RowGroupRows int
	// RowGroupBytes is the largest size of the values of a row group, before encoding and
	// compression; 0 is DefaultRowGroupBytes. A row group has at least one row. The option bounds the
	// memory of the writer.
	RowGroupBytes int64
	// CutBy names a column of text that determines where row groups end, so that a change of a few
	// rows leaves the bytes of most others unchanged. If it is "", only the two limits end row
	// groups.
	CutBy string
	// Distinct are columns whose values are seldom equal. They have no dictionaries, which would only
	// make them larger.
	Distinct []string
	// Metadata are the key-value pairs of the footer.
	Metadata map[string]string
}

// Writer writes record batches to a Parquet file. The bytes depend on
// the rows and options alone, not on how the rows are split into batches. Not
// safe for concurrent use.
type Writer struct {
	schema  *arrow.Schema
	options WriterOptions
	file    *parquet.GenericWriter[any]
	leaves  []*leafColumn
	rows    int64

	groupRows  int
	groupBytes int64
	cut        *cutter // nil without CutBy
	failed     error
}

// NewWriter begins a Parquet file with the columns of schema. If Parquet lacks a type, the error
// names the column.
func NewWriter(w io.Writer, schema *arrow.Schema, o WriterOptions) (*Writer, error) {
	if o.RowGroupRows == 0 {
		o.RowGroupRows = DefaultRowGroupRows
	}
	if o.RowGroupBytes == 0 {
		o.RowGroupBytes = DefaultRowGroupBytes
	}
	if o.RowGroupRows < 0 || o.RowGroupBytes < 0 {
		return nil, fmt.Errorf("a row group of %d rows and %d bytes: both must be positive", o.RowGroupRows, o.RowGroupBytes)
	}
	ps, err := parquetSchema(schema, o.Distinct)
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{
		ps,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.DataPageVersion(1),
		parquet.DataPageStatistics(false),
		parquet.PageBufferSize(pageBufferBytes),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.CreatedBy(createdApplication, createdVersion, createdBuild),
	}
	keys := make([]string, 0, len(o.Metadata))
	for k := range o.Metadata {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		options = append(options, parquet.KeyValueMetadata(k, o.Metadata[k]))
	}
	cut, err := newCutter(schema, o.CutBy)
	if err != nil {
		return nil, err
	}
	p := &Writer{schema: schema, options: o, cut: cut, file: parquet.NewGenericWriter[any](w, options...)}
	for i, f := range schema.Fields() {
		p.leaves = appendLeaves(p.leaves, f, []step{{field: i}}, f.Name)
	}
	for i, c := range p.file.ColumnWriters() {
		p.leaves[i].index, p.leaves[i].writer = i, c
	}
	return p, nil
}

// Write appends the rows of rec, which must have the columns of the schema. The caller still releases
// rec. After an error the writer cannot be used.
func (p *Writer) Write(rec arrow.Record) (err error) {
	if p.failed != nil {
		return p.failed
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("writing Parquet: %v", r)
		}
		p.failed = err
	}()
	if err := sameColumns(rec.Schema(), p.schema); err != nil {
		return err
	}
	for _, l := range p.leaves {
		l.bindRecord(rec)
	}
	p.cut.bindRecord(rec)
	rows := int(rec.NumRows())
	for from := 0; from < rows; from += chunkRows {
		if err := p.writeChunk(from, min(from+chunkRows, rows)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Writer) writeChunk(from, to int) error {
	for _, l := range p.leaves {
		if err := l.shredRows(from, to); err != nil {
			return fmt.Errorf("row %d: %w", p.rows+int64(l.badRow-from), err)
		}
	}
	n, begin := to-from, 0
	for i := range n {
		size := int64(0)
		for _, l := range p.leaves {
			size += l.rows[i].bytes
		}
		full := p.groupRows == p.options.RowGroupRows || p.groupBytes+size > p.options.RowGroupBytes
		if (full || p.cut.endsBefore(from+i, p.groupRows)) && p.groupRows > 0 {
			if err := p.writeRows(begin, i); err != nil {
				return err
			}
			if err := p.endGroup(); err != nil {
				return err
			}
			begin = i
		}
		p.groupRows++
		p.groupBytes += size
	}
	p.rows += int64(n)
	return p.writeRows(begin, n)
}

func (p *Writer) writeRows(from, to int) error {
	for _, l := range p.leaves {
		if err := l.writeRows(from, to); err != nil {
			return fmt.Errorf("column %q: %w", l.path, err)
		}
	}
	return nil
}

func (p *Writer) endGroup() error {
	p.groupRows, p.groupBytes = 0, 0
	for _, l := range p.leaves {
		l.pageSize = 0
	}
	if err := p.file.Flush(); err != nil {
		return err
	}
	p.shortenIndexes()
	return nil
}

// shortenIndexes copies the smallest and largest values of the pages of the row group. The file will
// contain only their beginnings, but parquet-go keeps these until then as slices of the whole values,
// which could not be freed.
func (p *Writer) shortenIndexes() {
	for _, index := range p.file.File().ColumnIndexes() {
		for _, values := range [][][]byte{index.MinValues, index.MaxValues} {
			for i := range values {
				values[i] = bytes.Clone(values[i])
			}
		}
	}
}

// Close writes the remaining rows and the footer. It does not close the io.Writer.
func (p *Writer) Close() (err error) {
	if p.failed != nil {
		return p.failed
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("writing Parquet: %v", r)
		}
	}()
	p.failed = fmt.Errorf("the Parquet writer is closed")
	return p.file.Close()
}

func sameColumns(have, want *arrow.Schema) error {
	if have.NumFields() != want.NumFields() {
		return fmt.Errorf("the batch has %d columns, the file %d", have.NumFields(), want.NumFields())
	}
	for i, w := range want.Fields() {
		h := have.Field(i)
		if h.Name != w.Name {
			return fmt.Errorf("column %d of the batch is %q, of the file %q", i, h.Name, w.Name)
		}
		if !SameShape(h.Type, w.Type) {
			return fmt.Errorf("column %q: the file has %s, the batch %s", w.Name, w.Type, h.Type)
		}
	}
	return nil
}
