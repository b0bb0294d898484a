package sources

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// maxColumnBytes bounds the memory for a JSON document that is read whole.
const maxColumnBytes = 256 << 20

// jsonDocument is a JSON document that is read whole: an object that is one row, or an object of columns.
type jsonDocument struct {
	in     *input
	table  *jsonTable
	fields jsonObject
	// columns has the values of each field by row; nil if the document is one row.
	columns [][]jsontext.Value
	rows    int
	row     int
}

// openDocument reads a document that is one row, or, if columns is set, an object of columns.
func (in *input) openDocument(t *jsonTable, columns bool) (rowReader, error) {
	whole := *in
	whole.from = schemas.Position{}
	j, err := whole.openJSON()
	if err != nil {
		return nil, err
	}
	defer j.close()
	d := &jsonDocument{in: in, table: t, rows: 1}
	if _, err := j.readToken(); err != nil {
		return nil, j.syntaxError(0, err)
	}
	left := maxColumnBytes
	for j.peekKind() != '}' {
		name, err := j.readToken()
		if err != nil {
			return nil, j.syntaxError(0, err)
		}
		d.fields.names = append(d.fields.names, name.String())
		if !columns {
			v, err := j.readValue()
			if err != nil {
				return nil, j.syntaxError(0, err)
			}
			if left -= len(v); left < 0 {
				return nil, d.tooLarge()
			}
			d.fields.values = append(d.fields.values, v.Clone())
			continue
		}
		values, size, err := j.readColumn(left)
		if errors.Is(err, errTooLarge) {
			return nil, d.tooLarge()
		}
		if err != nil {
			return nil, j.syntaxError(0, err)
		}
		left -= size
		d.columns = append(d.columns, values)
		d.rows = len(values)
	}
	if _, err = j.readToken(); err == nil {
		err = j.readEnd()
	}
	if err != nil {
		return nil, j.syntaxError(0, err)
	}
	for i, c := range d.columns {
		if c != nil && len(c) != len(d.columns[0]) {
			return nil, in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("is read by columns, and %s has %d values and %s %d", d.fields.names[0], len(d.columns[0]), d.fields.names[i], len(c)), remedyJSON)
		}
	}
	if columns {
		d.rows = len(d.columns[0])
	}
	return d, nil
}

func (d *jsonDocument) tooLarge() error {
	return d.in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("is read whole, and is larger than %d bytes", maxColumnBytes), "convert it to JSON lines")
}

// readColumn reads the values of a column: a list, or an object by row number as pandas writes it.
// For any other value it returns nil, which stands for null in every row.
func (j *jsonStream) readColumn(left int) (values []jsontext.Value, size int, err error) {
	kind := j.peekKind()
	if kind != '[' && kind != '{' {
		return nil, 0, j.skipValue()
	}
	if _, err := j.readToken(); err != nil {
		return nil, 0, err
	}
	values = []jsontext.Value{}
	for j.peekKind() != ']' && j.peekKind() != '}' {
		if kind == '{' {
			if _, err := j.readToken(); err != nil {
				return nil, 0, err
			}
		}
		v, err := j.readValue()
		if err != nil {
			return nil, 0, err
		}
		if size += len(v) + 32; size > left {
			return nil, 0, errTooLarge
		}
		values = append(values, v.Clone())
	}
	_, err = j.readToken()
	return values, size, err
}

func (d *jsonDocument) next(row *Row) error {
	if d.row == d.rows {
		return io.EOF
	}
	row.SourceRow = int64(d.row)
	if d.columns != nil {
		d.fields.values = d.fields.values[:0]
		for _, c := range d.columns {
			if c == nil {
				d.fields.values = append(d.fields.values, jsontext.Value("null"))
			} else {
				d.fields.values = append(d.fields.values, c[d.row])
			}
		}
	}
	d.row++
	d.table.object.names, d.table.object.values = d.fields.names, d.fields.values
	d.table.roles.fillRow(row, d.fields.cellOf)
	return nil
}

func (d *jsonDocument) position() schemas.Position {
	return schemas.Position{Row: int64(d.row), Offset: -1}
}

func (d *jsonDocument) close() error { return nil }
