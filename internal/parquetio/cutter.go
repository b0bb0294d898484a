package parquetio

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"
)

// With a cutting column, a row group ends before a row if cutOneIn divides the hash of the row's text, after at least
// cutLeast and at most cutMost rows. The mean is some 2,500 rows.
const (
	cutLeast = 1024
	cutMost  = 8192
	cutOneIn = 1536

	// cutGroups is the number of row groups of a file that end where the text says. Further ones end at the limits,
	// since otherwise the footers of very large files would exceed what readers accept.
	cutGroups = 1024
)

// cutter decides by the text of a row whether a row group ends before it. Earlier rows have no effect. So, after a
// change of some rows, later row groups have the same rows and bytes as before.
type cutter struct {
	field  int
	texts  *array.String
	groups int // that ended
}

// newCutter returns a cutter for the named column of text, or nil if the name is "".
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

// endsBefore reports whether a row group that has rows rows ends before a row of the batch.
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
