package join

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// rowOf is a row of a record: its number is row.
type rowOf struct {
	rec arrow.Record
	row int
}

// gatherColumns returns a record of the rows with only the columns of these numbers.
func gatherColumns(schema *arrow.Schema, rows []rowOf, numbers []int) (arrow.Record, error) {
	var columns []arrow.Array
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, number := range numbers {
		c, err := gatherColumn(rows, number)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", schema.Field(i).Name, err)
		}
		columns = append(columns, c)
	}
	return array.NewRecord(schema, columns, int64(len(rows))), nil
}

// gatherColumn returns one column of the rows, which may be in several records. Consecutive rows are
// copied together.
func gatherColumn(rows []rowOf, column int) (arrow.Array, error) {
	var parts []arrow.Array
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].rec == rows[begin].rec && rows[end].row == rows[end-1].row+1 {
			end++
		}
		part := array.NewSlice(rows[begin].rec.Column(column), int64(rows[begin].row), int64(rows[end-1].row+1))
		defer part.Release()
		parts = append(parts, part)
		begin = end
	}
	return array.Concatenate(parts, memory.DefaultAllocator)
}

// bytes returns the approximate size of a copy of the row.
func (r rowOf) bytes() (n int64) {
	for _, c := range r.rec.Columns() {
		n += cellBytes(c, r.row)
	}
	return n
}

func cellBytes(column arrow.Array, i int) (n int64) {
	const fixed = 16 // the most bytes of a number or an offset
	switch c := column.(type) {
	case *array.String:
		return fixed + int64(len(c.Value(i)))
	case *array.Binary:
		return fixed + int64(len(c.Value(i)))
	case array.ListLike:
		begin, end := c.ValueOffsets(i)
		for k := begin; k < end; k++ {
			n += cellBytes(c.ListValues(), int(k))
		}
	case *array.Struct:
		for f := range c.NumField() {
			n += cellBytes(c.Field(f), i)
		}
	}
	return fixed + n
}
