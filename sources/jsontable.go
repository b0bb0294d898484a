package sources

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonTable reads a JSON list of objects whose fields are columns; an object of captions by image,
// {"1.jpg": "a dog", "2.jpg": ["a cat", "a black cat"], "3.jpg": {"caption": "a bus"}}; and the
// other forms of jsonShape.
type jsonTable struct {
	roles  columnRoles
	object jsonObject
}

const remedyJSON = `give a list of objects such as {"image": "1.jpg", "caption": "a dog"}, or an object of captions by image, or JSON lines`

func openJSONTable(in *input) (rowReader, error) {
	shape, list, err := in.findShape()
	if err != nil {
		return nil, err
	}
	t := &jsonTable{roles: in.newRoles()}
	t.roles.columns = func() []string { return t.object.names }
	l := &imageList{rowsOf: t.readRecord, remedy: remedyJSON}
	switch shape {
	case shapeRecord, shapeColumns:
		return in.openDocument(t, shape == shapeColumns)
	case shapeNested:
		return in.openNested(t)
	case shapeKeyed:
		l.keyed = true
	case shapeWrapped:
		l.wrapped = list
		if l.splits = isSplitName(list); l.splits {
			partitions := t.roles.partitions
			l.rowsOf = func(_ string, raw []byte) []Row {
				t.roles.partitions = append(partitions[:len(partitions):len(partitions)], partition{splitColumn, l.list})
				return t.readRecord("", raw)
			}
		}
	}
	return in.openImageList(l)
}

// readRecord returns the row of an element, which may have several captions. image is the element's
// name if the document is an object.
func (t *jsonTable) readRecord(image string, raw []byte) []Row {
	var row Row
	if image != "" {
		raw = numberedList(raw)
	}
	get := t.object.cellOf
	kind := jsontext.Value(raw).Kind()
	if kind == '"' || kind == '[' && image != "" {
		caption := jsonCell(bytes.Clone(raw))
		t.object.names, t.object.values = []string{t.roles.captions[0]}, []jsontext.Value{raw}
		get = func(name string) cell {
			if name == t.roles.captions[0] {
				return caption
			}
			return cell{Kept: Kept{Null: true}}
		}
	} else if !t.object.parseOrReject(raw, &row) {
		row.Image = clip(image, MaxName)
		return []Row{row}
	}
	named := cell{Kept: Kept{Text: image}, kind: textCell}
	t.roles.fillRow(&row, func(name string) cell {
		if c := get(name); !c.Null || name != Image || !isImageName(image) {
			return c
		}
		return named
	})
	if row.Image == "" && t.roles.guessImage {
		row.Image = clip(image, MaxName)
	}
	return []Row{row}
}

// jsonTableColumns returns the field names in the first row of a document, including those of
// nested objects.
func jsonTableColumns(in *input) ([]string, error) {
	r, err := openJSONTable(in)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var t *jsonTable
	switch r := r.(type) {
	case *jsonDocument:
		t = r.table
	case *nestedDocument:
		t = r.table
	case *imageList:
		t = &jsonTable{}
		r.rowsOf = func(_ string, raw []byte) []Row {
			var row Row
			t.object.parseOrReject(raw, &row)
			return []Row{row}
		}
	}
	var row Row
	if err := r.next(&row); err != nil {
		return nil, err
	}
	if row.Reject == RejectMalformed || row.Reject == RejectInvalidUTF8 {
		return nil, errors.New(row.Detail)
	}
	if numberedList(joinFields(t.object.names, t.object.values)).Kind() == '[' {
		return []string{}, nil // captions by number
	}
	return t.object.fieldNames(), nil
}

// fieldNames returns the field names of an object, including those of nested objects ("a.b").
func (o *jsonObject) fieldNames() (names []string) {
	for i, n := range o.names {
		names = appendFieldNames(names, n, o.values[i], 0)
	}
	return names
}

// appendFieldNames appends the name of a field. If its value is an object or a list of objects, it appends
// the names of their fields instead.
func appendFieldNames(names []string, name string, v jsontext.Value, depth int) []string {
	if len(names) >= maxColumnsTried {
		return names
	}
	if v.Kind() == '"' {
		if inner := literalValue(jsonCell(v).Text); inner != nil {
			v = inner
		}
	}
	if v = numberedList(v); v.Kind() == '[' {
		if values, err := listElements(v); err == nil && len(values) > 0 && values[0].Kind() == '{' {
			v = values[0]
		}
	}
	var o jsonObject
	if v.Kind() != '{' || depth == maxFieldDepth || o.parseFields(v) != nil {
		return append(names, name)
	}
	for i, n := range o.names {
		names = appendFieldNames(names, name+"."+n, o.values[i], depth+1)
	}
	return names
}
