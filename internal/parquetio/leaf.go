package parquetio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/parquet-go/parquet-go"
)

// leafReader reads the pages of a leaf column. rep and def are the levels of
// the batch being read; rep is nil where nothing repeats.
type leafReader struct {
	path     string
	column   *parquet.Column
	slot     level
	max      level // levels of a value
	dataType arrow.DataType
	append   appendPage

	chunk   chunkReader
	page    *pageDecoder // that of chunk
	at      int          // in the levels of the page
	valueAt int          // among the values of the page

	builder  array.Builder
	rep, def []byte
}

func newLeafReader(c *parquet.Column, slot level, valid byte) (*leafReader, error) {
	l := &leafReader{
		path: strings.Join(c.Path(), "."), column: c, slot: slot,
		max: level{byte(c.MaxRepetitionLevel()), byte(c.MaxDefinitionLevel())},
	}
	if l.max != (level{slot.rep, valid}) {
		return nil, fmt.Errorf("column %q: levels %v, want %v", l.path, l.max, level{slot.rep, valid})
	}
	var err error
	l.dataType, l.append, err = leafType(c)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", l.path, err)
	}
	return l, nil
}

// open begins the column chunk of a row group.
func (l *leafReader) open(f *File, group int, u *unpacker) {
	l.close()
	g := &f.file.Metadata().RowGroups[group]
	l.chunk.file, l.chunk.limits, l.chunk.unpack = f.source, f.limits, u
	l.chunk.open(&g.Columns[l.column.Index()].MetaData, g.NumRows)
	l.page = &l.chunk.decoder
	l.page.column, l.page.max, l.page.pageBytes = l.column.Type(), l.max, f.limits.PageBytes
	l.page.entries, l.at = 0, 0
}

func (l *leafReader) close() {
	if l.builder != nil {
		l.builder.Release()
		l.builder = nil
	}
}

// read puts the next rows into the builder and the levels.
func (l *leafReader) read(rows int, o ReaderOptions) (err error) {
	defer recoverAsError("decoding", &err)
	if l.builder == nil {
		l.builder = array.NewBuilder(o.Mem, l.dataType)
	}
	l.builder.Reserve(rows)
	l.rep, l.def = l.rep[:0], l.def[:0]
	if l.max.rep == 0 {
		l.rep = nil
	}
	return l.take(rows, true)
}

// skip passes over the next rows.
func (l *leafReader) skip(rows int64) (err error) {
	defer recoverAsError("decoding", &err)
	for rows > 0 {
		n := min(rows, 1<<20)
		if err := l.take(int(n), false); err != nil {
			return err
		}
		rows -= n
	}
	return nil
}

// take passes over whole rows, and appends them if keep.
func (l *leafReader) take(rows int, keep bool) error {
	taken := 0
	for {
		if l.at == l.page.entries {
			if l.max.rep == 0 && taken == rows {
				return nil
			}
			err := l.nextPage()
			if errors.Is(err, io.EOF) && taken == rows {
				return nil
			}
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return fmt.Errorf("the file is damaged: it ends after %d rows of a batch of %d", taken, rows)
			}
			if err != nil {
				return err
			}
			continue
		}
		if taken == 0 && l.max.rep > 0 && l.page.rep[l.at] != 0 {
			return errors.New("the file is damaged: a page goes on with a row that did not begin")
		}
		end, done := l.span(rows, &taken)
		if err := l.appendSpan(end, keep); err != nil {
			return err
		}
		if done {
			return nil
		}
	}
}

// span returns where in the page the rows end, and whether that is certain: a
// row may go on in the next page.
func (l *leafReader) span(rows int, taken *int) (end int, done bool) {
	if l.max.rep == 0 {
		n := min(rows-*taken, l.page.entries-l.at)
		*taken += n
		return l.at + n, *taken == rows
	}
	i := l.at
	for i < l.page.entries {
		if l.page.rep[i] == 0 {
			if *taken == rows {
				return i, true
			}
			*taken++
		}
		next := bytes.IndexByte(l.page.rep[i+1:l.page.entries], 0)
		if next < 0 {
			return l.page.entries, false
		}
		i += 1 + next
	}
	return i, false
}

// appendSpan moves on to end in the page.
func (l *leafReader) appendSpan(end int, keep bool) error {
	begin := l.at
	l.at = end
	if l.max.def == 0 {
		l.valueAt += end - begin
		if !keep {
			return nil
		}
		return l.append(l.builder, &l.page.source, l.valueAt-(end-begin), l.valueAt)
	}
	def := l.page.def[begin:end]
	if keep {
		l.def = append(l.def, def...)
		if l.max.rep > 0 {
			l.rep = append(l.rep, l.page.rep[begin:end]...)
		}
	}
	for i := 0; i < len(def); {
		j := i
		for j < len(def) && def[j] == l.max.def {
			j++
		}
		if j > i {
			l.valueAt += j - i
			if keep {
				if err := l.append(l.builder, &l.page.source, l.valueAt-(j-i), l.valueAt); err != nil {
					return err
				}
			}
		}
		for ; j < len(def) && def[j] != l.max.def; j++ {
			if keep && def[j] >= l.slot.def {
				l.builder.AppendNull()
			}
		}
		i = j
	}
	return nil
}

func (l *leafReader) nextPage() error {
	l.page.entries, l.at, l.valueAt = 0, 0, 0
	at := l.chunk.at
	err := l.chunk.next()
	if err != nil && err != io.EOF {
		return fmt.Errorf("page at byte %d: %w", at, err)
	}
	return err
}

// assemble returns what was read since the last call: slots elements.
func (l *leafReader) assemble(slots int) (arrow.ArrayData, error) {
	a := l.builder.NewArray()
	defer a.Release()
	if a.Len() != slots {
		return nil, errUnequalLists
	}
	a.Data().Retain()
	return a.Data(), nil
}
