package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// nestedDocument is a JSON document that is read whole, since its rows are in nested lists or
// objects: [["1.jpg", "a dog"], …], {"train": {"1.jpg": "a dog"}, …}, or a table as pandas writes
// it, {"columns": ["image", "caption"], "data": [["1.jpg", "a dog"], …]}.
type nestedDocument struct {
	in    *input
	table *jsonTable
	rows  []nestedRow
	row   int
}

// nestedRow is a row of a nested document: an object, or the captions of one image.
type nestedRow struct {
	image, split string
	value        jsontext.Value
}

// maxNesting bounds the depth at which rows are found.
const maxNesting = 8

// openNested reads a document whose rows are nested deeper than in one list.
func (in *input) openNested(t *jsonTable) (rowReader, error) {
	whole := *in
	whole.from = schemas.Position{}
	j, err := whole.openJSON()
	if err != nil {
		return nil, err
	}
	defer j.close()
	data, err := io.ReadAll(io.LimitReader(j.nans, maxColumnBytes+1))
	if err != nil {
		return nil, j.syntaxError(0, err)
	}
	d := &nestedDocument{in: in, table: t}
	if len(data) > maxColumnBytes {
		return nil, in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("is read whole, and is larger than %d bytes", maxColumnBytes), "convert it to JSON lines")
	}
	if err := d.addRows(bytes.TrimSpace(data), "", 0); err != nil {
		var shape *shapeError
		if errors.As(err, &shape) {
			return nil, in.malformedError(schemas.Position{Offset: -1}, err, remedyJSON)
		}
		return nil, j.syntaxError(0, err)
	}
	return d, nil
}

// shapeError is the error of a JSON document without rows.
type shapeError struct{ text string }

func (e *shapeError) Error() string { return e.text }

func anotherShape(format string, args ...any) error {
	return &shapeError{"is JSON of another shape: " + clip(escapeControls(fmt.Sprintf(format, args...)), 2*maxDetail)}
}

// addRows adds the rows in a value, which may be nested.
func (d *nestedDocument) addRows(v jsontext.Value, split string, depth int) error {
	switch {
	case depth > maxNesting:
		return anotherShape("lists and objects that are more than %d deep", maxNesting)
	case v.Kind() == '[':
		return d.addList(v, split, depth)
	case v.Kind() == '{':
		return d.addObject(v, split, depth)
	}
	return anotherShape("%s where rows are expected", describeKind(v.Kind()))
}

// addList adds the rows in a list.
func (d *nestedDocument) addList(v jsontext.Value, split string, depth int) error {
	elements, err := nestedElements(v)
	if err != nil || len(elements) == 0 {
		return err
	}
	if names := textsOf(elements[0]); len(elements) > 1 && slices.ContainsFunc(names, d.in.isCaptionName) && !slices.ContainsFunc(names, hasManyWords) {
		return d.addTable(names, elements[1:], split) // the first list is a header
	}
	for i, e := range elements {
		texts := textsOf(e)
		switch e.Kind() {
		case '{':
			var o jsonObject
			if err := o.parseFields(e); err != nil {
				return err
			}
			if len(o.names) == 1 && isImageName(o.names[0]) {
				d.rows = append(d.rows, nestedRow{o.names[0], split, o.values[0]})
				continue
			}
			d.rows = append(d.rows, nestedRow{"", split, e})
		case '"':
			d.rows = append(d.rows, nestedRow{"", split, e})
		case '[':
			if inner, err := nestedElements(e); err == nil && len(inner) > 1 && inner[0].Kind() == '"' && isImageName(jsonCell(inner[0]).Text) {
				captions := slices.DeleteFunc(inner[1:], func(v jsontext.Value) bool { return v.Kind() != '"' && v.Kind() != '[' }) // not a score
				d.rows = append(d.rows, nestedRow{jsonCell(inner[0]).Text, split, joinValues(captions)})
				continue
			}
			if len(texts) > 0 && slices.ContainsFunc(texts, hasWords) {
				d.rows = append(d.rows, nestedRow{"", split, d.captionObject(e)})
				continue
			}
			if len(texts) > 0 {
				return anotherShape("a list of lists of texts, of which the first is %s", clip(string(e), maxDetail/2))
			}
			if err := d.addRows(e, split, depth+1); err != nil {
				return err
			}
		default:
			return anotherShape("a list whose element %d is %s", i, describeKind(e.Kind()))
		}
	}
	return nil
}

// addObject adds the rows in an object.
func (d *nestedDocument) addObject(v jsontext.Value, split string, depth int) error {
	var o jsonObject
	if err := o.parseFields(v); err != nil {
		return err
	}
	if columns := textsOf(o.valueOf("columns")); len(columns) > 0 && o.valueOf("data").Kind() == '[' {
		rows, err := nestedElements(o.valueOf("data"))
		if err != nil {
			return err
		}
		return d.addTable(columns, rows, split)
	}
	if done, err := d.addColumns(&o, split); done || err != nil {
		return err
	}
	isContainer := func(name string, v jsontext.Value) bool {
		return (v.Kind() == '[' || v.Kind() == '{') && (isSplitName(name) || slices.Contains(wrapperNames, name))
	}
	containers, wrappers := 0, 0
	for i, name := range o.names {
		if isContainer(name, o.values[i]) {
			if containers++; !isSplitName(name) {
				wrappers++
			}
		}
	}
	if slices.ContainsFunc(o.names, d.in.isCaptionName) && containers == 0 {
		d.rows = append(d.rows, nestedRow{"", split, v})
		return nil
	}
	if wrappers > 1 || wrappers > 0 && containers > wrappers {
		return anotherShape("an object of %s", describeFields(&o))
	}
	for i, name := range o.names {
		value := o.values[i]
		inner := split
		switch {
		case isContainer(name, value) && containers > 0:
			if isSplitName(name) {
				inner = name
			}
			if err := d.addRows(value, inner, depth+1); err != nil {
				return err
			}
		case containers > 0 && (isMetadata(name) || value.Kind() != '[' && value.Kind() != '{'), isMetadata(name):
		case containers == 0 && d.isImageEntry(name, value):
			d.rows = append(d.rows, nestedRow{name, split, value})
		default:
			return anotherShape("an object of %s", describeFields(&o))
		}
	}
	return nil
}

// isImageEntry reports whether a field of an object is an image with its captions: v is text, a list of
// texts or an object with captions, and name may be the image's name.
func (d *nestedDocument) isImageEntry(name string, v jsontext.Value) bool {
	switch v.Kind() {
	case '"':
		return hasWords(jsonCell(v).Text)
	case '[':
		texts := textsOf(v)
		return len(texts) > 0 && slices.ContainsFunc(texts, hasWords) || isImageKey(name)
	case '{':
		var o jsonObject
		return o.parseFields(v) == nil && slices.ContainsFunc(o.names, d.in.isCaptionName)
	}
	return v.Kind() == 'n' && isImageKey(name)
}

// addColumns adds the rows of an object whose fields are columns, each a list. It returns false if o is not
// such an object.
func (d *nestedDocument) addColumns(o *jsonObject, split string) (bool, error) {
	isImage := func(n string) bool { return isUsual(n, imageNames) }
	if !slices.ContainsFunc(o.names, d.in.isCaptionName) || !slices.ContainsFunc(o.names, isImage) {
		return false, nil
	}
	var names []string
	var columns [][]jsontext.Value
	for i, v := range o.values {
		switch {
		case v.Kind() == '[':
			values, err := nestedElements(v)
			if err != nil {
				return true, err
			}
			names, columns = append(names, o.names[i]), append(columns, values)
		case v.Kind() == '{' || isImage(o.names[i]) || d.in.isCaptionName(o.names[i]):
			return false, nil
		}
	}
	for i, c := range columns {
		if len(c) != len(columns[0]) {
			return true, &shapeError{fmt.Sprintf("is read by columns, and %s has %d values and %s %d", names[0], len(columns[0]), names[i], len(c))}
		}
	}
	for r := range columns[0] {
		values := make([]jsontext.Value, len(columns))
		for i := range columns {
			values[i] = columns[i][r]
		}
		d.rows = append(d.rows, nestedRow{"", split, joinFields(names, values)})
	}
	return true, nil
}

// addTable adds the rows of a table. Each row is a list of values for columns.
func (d *nestedDocument) addTable(columns []string, rows []jsontext.Value, split string) error {
	for i, r := range rows {
		values, err := nestedElements(r)
		if err != nil || len(values) != len(columns) {
			return &shapeError{fmt.Sprintf("is a table with the columns %s, and row %d is %s", clip(strings.Join(columns, ", "), maxDetail), i, clip(string(r), maxDetail/2))}
		}
		d.rows = append(d.rows, nestedRow{"", split, joinFields(columns, values)})
	}
	return nil
}

// captionObject returns an object with captions in the caption column.
func (d *nestedDocument) captionObject(captions jsontext.Value) jsontext.Value {
	return joinFields(d.table.roles.captions[:1], []jsontext.Value{captions})
}

func (d *nestedDocument) next(row *Row) error {
	if d.row == len(d.rows) {
		return io.EOF
	}
	r := d.rows[d.row]
	partitions := d.table.roles.partitions
	if r.split != "" {
		d.table.roles.partitions = append(partitions[:len(partitions):len(partitions)], partition{splitColumn, r.split})
	}
	keep := row.Keep
	*row = d.table.readRecord(r.image, r.value)[0]
	row.Keep = append(keep, row.Keep...)
	row.SourceRow = int64(d.row)
	d.table.roles.partitions = partitions
	d.row++
	return nil
}

func (d *nestedDocument) position() schemas.Position {
	return schemas.Position{Row: int64(d.row), Offset: -1}
}

func (d *nestedDocument) close() error { return nil }

// nestedElements returns the elements of a list. They share its memory.
func nestedElements(list jsontext.Value) (all []jsontext.Value, err error) {
	if list.Kind() != '[' {
		return nil, errors.New("not a list")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(list))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		end := dec.InputOffset()
		all = append(all, list[end-int64(len(v)):end])
	}
	_, err = dec.ReadToken()
	return all, err
}

// textsOf returns the elements of a list of strings; nil for any other value.
func textsOf(v jsontext.Value) (texts []string) {
	if len(v) == 0 || v.Kind() != '[' {
		return nil
	}
	elements, err := nestedElements(v)
	if err != nil {
		return nil
	}
	for _, e := range elements {
		if e.Kind() != '"' {
			return nil
		}
		texts = append(texts, jsonCell(e).Text)
	}
	return texts
}

// hasManyWords reports whether s has more than two words.
func hasManyWords(s string) bool { return len(strings.Fields(s)) > 2 }

// joinValues returns a JSON list of the values.
func joinValues(values []jsontext.Value) jsontext.Value {
	list := []byte{'['}
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, v...)
	}
	return append(list, ']')
}

// joinFields returns a JSON object of the names and values.
func joinFields(names []string, values []jsontext.Value) jsontext.Value {
	object := []byte{'{'}
	for i, n := range names {
		if i > 0 {
			object = append(object, ',')
		}
		object, _ = jsontext.AppendQuote(object, n)
		object = append(append(object, ':'), values[i]...)
	}
	return append(object, '}')
}

// describeFields returns the fields of an object for a message.
func describeFields(o *jsonObject) string {
	var all []jsonMember
	for i, name := range o.names[:min(len(o.names), namesLooked)] {
		m := jsonMember{name: name, kind: o.values[i].Kind()}
		if m.kind == '[' {
			if elements, err := nestedElements(o.values[i]); err == nil && len(elements) > 0 {
				m.inner, m.first = elements[0].Kind(), elements[0]
			}
		}
		all = append(all, m)
	}
	return describeMembers(all)
}
