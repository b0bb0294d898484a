package parquetio

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"
)

// A row group that a column cuts ends before a row whose text has a hash that cutOneIn divides,
// after cutLeast rows at least and cutMost at most: some 2,500 rows in the mean.
const (
	cutLeast = 1024
	cutMost  = 8192
	cutOneIn = 1536

	// cutGroups is how many row groups of a file the text ends; further ones end at the limits, or
	// the footers of very large files would be as large as readers accept.
	cutGroups = 1024
)

// cutter ends row groups where the text of a row says so. Earlier rows have no effect, so that after a change the next row groups are as they were: their bytes do not
// depend on where in the file they are.
type cutter struct {
	field  int
	texts  *array.String
	groups int // that ended
}

// newCutter returns a cutter by a column, or nil if the name is "".
func newCutter(schema *arrow.Schema, column string) (*cutter, error) {
	if column == "" {
		return nil, nil
	}
	at := schema.FieldIndices(column)
	if len(at) != 1 || schema.Field(at[0]).Type.ID() != arrow.STRING {
		return nil, fmt.Errorf("row groups can't end by column %q: the file has no such column of text", column)
	}
	return &cutter{field: at[0]}, nil
}

func (c *cutter) bindRecord(rec arrow.Record) {
	if c != nil {
		c.texts = rec.Column(c.field).(*array.String)
	}
}

// endsBefore reports whether a row group of that many rows ends before a row of the batch.
func (c *cutter) endsBefore(row, rows int) bool {
	if c == nil || rows < cutLeast || c.groups == cutGroups {
		return false
	}
	ends := rows >= cutMost || xxhash.Sum64String(c.texts.Value(row))%cutOneIn == 0
	if ends {
		c.groups++
	}
	return ends
}
