package sources

import (
	"context"
	"fmt"
	"io"

	"capgraph/store"
)

// Table reads the rows of a table with a header, as the formats csv and tsv do.
type Table struct{ csv *csvTable }

// OpenTable opens a table. Its delimiter is the tab if tabs is set, else the most frequent delimiter
// in its header.
func OpenTable(ctx context.Context, s store.Store, name string, tabs bool) (*Table, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	size := f.Size()
	if err := f.Close(); err != nil {
		return nil, err
	}
	in := &input{ctx: ctx, store: s, file: File{Path: name, Size: size}}
	in.opts.Encoding = in.sniffEncoding()
	delimiters := csvDelimiters
	if tabs {
		delimiters = "\t"
	}
	c, err := in.openCSVHeader(delimiters)
	if err != nil {
		return nil, err
	}
	return &Table{c}, nil
}

// Header returns the column names.
func (t *Table) Header() []string { return t.csv.header }

// Next returns the cells of the next row, as many as the header has. After the last row it returns io.EOF.
func (t *Table) Next() ([]string, error) {
	var row Row
	if err := t.csv.readRow(&row); err != nil {
		return nil, err
	}
	if row.Reject != "" {
		return nil, fmt.Errorf("row %d: %s", row.SourceRow+1, row.Detail)
	}
	cells := make([]string, len(t.csv.header))
	for i := range cells {
		cells[i] = t.csv.split.cellText(i)
	}
	return cells, nil
}

// Close implements io.Closer.
func (t *Table) Close() error { return t.csv.close() }

var _ io.Closer = (*Table)(nil)
