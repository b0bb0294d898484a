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

// leafReader reads the pages of a leaf column. rep and def are the levels of the batch that is
// being read; rep is nil if the column has no lists.
type leafReader struct {
	path     string
	column   *parquet.Column
	slot     level
	max      level // levels of a value that is not null
	dataType arrow.DataType
	width    int64 // bytes of a value; 0 if they differ
	append   appendPage

	chunk   chunkReader
	page    *pageDecoder // that of chunk
	at      int          // index of the next entry in the page
	found   found
	valueAt int // index of the next value in the page

	// The values and levels of the batch. If room is set, the bytes that are read are subtracted
	// from it; once it is below 0, nothing more is kept.
	builder  array.Builder
	rep, def []byte
	room     *int64
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
	if t, fixed := l.dataType.(arrow.FixedWidthDataType); fixed {
		l.width = int64(t.BitWidth()+7) / 8
	}
	return l, nil
}

// openGroup begins the column chunk of a row group.
func (l *leafReader) openGroup(f *File, group int, u *decompressor) {
	l.close()
	g := &f.file.Metadata().RowGroups[group]
	l.chunk.file, l.chunk.limits, l.chunk.unpack = f.source, f.limits, u
	l.chunk.openChunk(&g.Columns[l.column.Index()].MetaData, g.NumRows)
	l.page = &l.chunk.decoder
	l.page.column, l.page.max, l.page.pageBytes = l.column.Type(), l.max, f.limits.PageBytes
	l.page.entries, l.at, l.found = 0, 0, found{}
}

func (l *leafReader) close() {
	if l.builder != nil {
		l.builder.Release()
		l.builder = nil
	}
}

// beginBatch begins a batch of at most rows rows.
func (l *leafReader) beginBatch(rows int, o ReaderOptions) {
	if l.builder == nil {
		l.builder = array.NewBuilder(o.Mem, l.dataType)
	}
	l.builder.Reserve(rows)
	l.rep, l.def = l.rep[:0], l.def[:0]
	if l.max.rep == 0 {
		l.rep = nil
	}
}

// readRows appends the next rows to builder, rep and def.
func (l *leafReader) readRows(rows int) (err error) {
	defer recoverAsError("decoding", &err)
	return l.takeRows(rows, true)
}

// rowsAhead returns how many of the next rows, at most most, end in the current page.
func (l *leafReader) rowsAhead(most int) (rows int, err error) {
	defer recoverAsError("decoding", &err)
	for l.at == l.page.entries {
		if err := l.nextPage(); errors.Is(err, io.EOF) { // takeRows reports the error
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
	rows, _ = l.countRows(most)
	return rows, nil
}

// countRows returns how many of the next rows, at most most, end in the current page, and the index
// of the entry after them.
func (l *leafReader) countRows(most int) (rows, end int) {
	if f := &l.found; f.from == l.at && f.most == most {
		return f.rows, f.end
	}
	end, done := l.rowSpan(most, &rows)
	if l.max.rep > 0 && !done && rows > 0 { // the last row may continue in the next page
		rows, end = rows-1, l.at+bytes.LastIndexByte(l.page.rep[l.at:end], 0)
	}
	l.found = found{l.at, most, rows, end}
	return rows, end
}

// found is the last result of countRows, with the place and the limit that it was called for.
type found struct{ from, most, rows, end int }

// The bytes of an entry besides its value: an offset for values of variable length, and its levels.
const (
	offsetBytes = 4
	levelBytes  = 2
)

// sizeOf returns the bytes in memory of the entries of the page from at to end.
func (l *leafReader) sizeOf(end int) int64 {
	values, entries := end-l.at, int64(end-l.at)
	if l.width > 0 {
		return entries * (l.width + levelBytes)
	}
	if l.max.def > 0 {
		values = bytes.Count(l.page.def[l.at:end], []byte{l.max.def})
	}
	return entries*(offsetBytes+levelBytes) + l.page.source.countBytes(l.valueAt, l.valueAt+values)
}

// skipRows skips the next rows.
func (l *leafReader) skipRows(rows int64) (err error) {
	defer recoverAsError("decoding", &err)
	for rows > 0 {
		n := min(rows, 1<<20)
		if err := l.takeRows(int(n), false); err != nil {
			return err
		}
		rows -= n
	}
	return nil
}

// takeRows moves on by whole rows, over several pages if needed, and appends them if keep is true.
func (l *leafReader) takeRows(rows int, keep bool) error {
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
				return errors.New("the file is damaged: it has fewer rows than it claims")
			}
			if err != nil {
				return err
			}
			continue
		}
		if taken == 0 && l.max.rep > 0 && l.page.rep[l.at] != 0 {
			return errors.New("the file is damaged: a page goes on with a row that did not begin")
		}
		end, done := l.found.end, true
		if f := l.found; taken > 0 || f.from != l.at || f.rows != rows {
			end, done = l.rowSpan(rows, &taken)
		}
		if err := l.appendSpan(end, keep); err != nil {
			return err
		}
		if done {
			return nil
		}
	}
}

// rowSpan returns the index of the entry after the rows. done is false if the page ends first, and
// the last row may continue in the next page. taken counts the rows.
func (l *leafReader) rowSpan(rows int, taken *int) (end int, done bool) {
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

// appendSpan moves on to entry end of the page. It appends the entries before it if keep is true.
func (l *leafReader) appendSpan(end int, keep bool) error {
	if keep && l.room != nil {
		*l.room -= l.sizeOf(end)
		keep = *l.room >= 0
	}
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

// dropValues discards the values of the batch.
func (l *leafReader) dropValues() { l.builder.NewArray().Release() }

func (l *leafReader) nextPage() error {
	l.page.entries, l.at, l.valueAt, l.found = 0, 0, 0, found{}
	at := l.chunk.at
	err := l.chunk.nextPage()
	if err != nil && err != io.EOF {
		return fmt.Errorf("page at byte %d: %w", at, err)
	}
	return err
}

// assemble returns an array of the values that were read since the last call. It returns an error
// if they are not slots elements.
func (l *leafReader) assemble(slots int) (arrow.ArrayData, error) {
	a := l.builder.NewArray()
	defer a.Release()
	if a.Len() != slots {
		return nil, errUnequalLists
	}
	a.Data().Retain()
	return a.Data(), nil
}
