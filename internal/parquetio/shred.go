package parquetio

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/parquet-go/parquet-go"
)

// leafColumn extracts one leaf of the schema from batches: its values with their repetition and
// definition levels, as in Dremel (Melnik et al., VLDB 2010, §4).
type leafColumn struct {
	path   string
	index  int
	steps  []step // from a column of the batch down to the leaf
	writer *parquet.ColumnWriter
	append appendValues

	allText  bool // all texts of the batch are UTF-8, so that values are not checked one by one
	values   []parquet.Value
	rows     []shreddedRow
	bytes    int64
	badRow   int
	err      error
	pageSize int
}

// step is a node on the way from a column to a leaf, with its array in the batch.
type step struct {
	list, nullable bool
	field          int // of the parent
	array          arrow.Array
}

// shreddedRow is the index of the value after those of a row, and the size of the row.
type shreddedRow struct {
	end   int
	bytes int64
}

// appendLeaves appends the leaves under a field in the order of the schema. steps lead to the field
// and end with it.
func appendLeaves(leaves []*leafColumn, f arrow.Field, steps []step, path string) []*leafColumn {
	at := len(steps) - 1
	steps[at].nullable = f.Nullable
	down := func(field int) []step { return append(append([]step(nil), steps...), step{field: field}) }
	switch t := f.Type.(type) {
	case *arrow.ListType:
		steps[at].list = true
		return appendLeaves(leaves, t.ElemField(), down(0), joinPath(path, "element"))
	case *arrow.StructType:
		for i, child := range t.Fields() {
			leaves = appendLeaves(leaves, child, down(i), joinPath(path, child.Name))
		}
		return leaves
	}
	return append(leaves, &leafColumn{path: path, steps: steps, append: appenderOf(f.Type)})
}

// bindRecord sets the arrays of the steps to those of rec.
func (l *leafColumn) bindRecord(rec arrow.Record) {
	l.steps[0].array = rec.Column(l.steps[0].field)
	for i := 1; i < len(l.steps); i++ {
		switch parent := l.steps[i-1].array.(type) {
		case *array.Struct:
			l.steps[i].array = parent.Field(l.steps[i].field)
		case *array.List:
			l.steps[i].array = parent.ListValues()
		}
	}
	if a, ok := l.steps[len(l.steps)-1].array.(*array.String); ok {
		l.allText = isText(a)
	}
}

// shredRows puts the values of the rows from ≤ i < to into l.values and l.rows.
func (l *leafColumn) shredRows(from, to int) error {
	l.values, l.rows, l.bytes = l.values[:0], l.rows[:0], 0
	for i := from; i < to; i++ {
		before, bytes := len(l.values), l.bytes
		l.appendElements(0, i, i+1, 0, 0, 0)
		if l.err != nil {
			l.badRow = i
			return l.err
		}
		size := l.bytes - bytes + int64(len(l.values)-before)*8
		l.rows = append(l.rows, shreddedRow{end: len(l.values), bytes: size})
	}
	return nil
}

// appendElements appends the elements from ≤ i < to of the array of a step. The first has repetition level
// rep, and the others have nest. def is the definition level of their parent.
func (l *leafColumn) appendElements(depth, from, to, rep, nest, def int) {
	s := &l.steps[depth]
	defined := def
	if s.nullable {
		defined++
	}
	if depth == len(l.steps)-1 {
		l.appendLeaf(s, from, to, rep, nest, defined)
		return
	}
	hasNull := s.array.NullN() > 0
	if !s.list && !hasNull {
		l.appendElements(depth+1, from, to, rep, nest, defined)
		return
	}
	lists, _ := s.array.(*array.List)
	for i := from; i < to; i++ {
		switch {
		case hasNull && s.array.IsNull(i):
			l.appendNull(s, rep, def)
		case !s.list:
			l.appendElements(depth+1, i, i+1, rep, nest, defined)
		default:
			begin, end := lists.ValueOffsets(i)
			if begin == end {
				l.values = append(l.values, parquet.NullValue().Level(rep, defined, l.index))
			} else {
				l.appendElements(depth+1, int(begin), int(end), rep, nest+1, defined+1)
			}
		}
		rep = nest
	}
}

func (l *leafColumn) appendLeaf(s *step, from, to, rep, nest, def int) {
	if s.array.NullN() == 0 {
		l.append(l, s.array, from, to, rep, nest, def)
		return
	}
	for i := from; i < to; i++ {
		if s.array.IsNull(i) {
			l.appendNull(s, rep, def-1)
		} else {
			l.append(l, s.array, i, i+1, rep, nest, def)
		}
		rep = nest
	}
}

func (l *leafColumn) appendNull(s *step, rep, def int) {
	if !s.nullable {
		l.err = fmt.Errorf("column %q: a null in a column that can't be null", l.path)
		return
	}
	l.values = append(l.values, parquet.NullValue().Level(rep, def, l.index))
}

// writeRows encodes the shredded rows from ≤ i < to. It ends a page after a row if the page has
// reached pageBytes.
func (l *leafColumn) writeRows(from, to int) error {
	begin := l.endOfRow(from)
	start := begin
	for i := from; i < to; i++ {
		end := l.rows[i].end
		l.pageSize += int(l.rows[i].bytes) + 8*(end-start) + 16
		start = end
		if l.pageSize < pageBytes {
			continue
		}
		if _, err := l.writer.WriteRowValues(l.values[begin:end]); err != nil {
			return err
		}
		if err := l.writer.Flush(); err != nil {
			return err
		}
		begin, l.pageSize = end, 0
	}
	if start == begin {
		return nil
	}
	_, err := l.writer.WriteRowValues(l.values[begin:start])
	return err
}

func (l *leafColumn) endOfRow(row int) int {
	if row == 0 {
		return 0
	}
	return l.rows[row-1].end
}
