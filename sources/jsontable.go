package sources

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// jsonTable reads a JSON list of objects with columns of any names, or an object of captions by
// image: {"1.jpg": "a dog", "2.jpg": ["a cat", "a black cat"], "3.jpg": {"caption": "a bus"}}.
type jsonTable struct {
	roles  columnRoles
	object jsonObject
}

const remedyJSON = `give a list of objects, or an object of captions by image`

func openJSONTable(in *input) (rowReader, error) {
	keyed, err := in.beginsWithBrace()
	if err != nil {
		return nil, err
	}
	t := &jsonTable{roles: in.newRoles()}
	t.roles.columns = func() []string { return t.object.names }
	return in.openImageList(&imageList{rowsOf: t.readRecord, keyed: keyed, remedy: remedyJSON})
}

// beginsWithBrace reports whether the document is an object.
func (in *input) beginsWithBrace() (bool, error) {
	beginning := *in
	beginning.from = schemas.Position{}
	s, err := beginning.openStream()
	if err != nil {
		return false, err
	}
	defer s.close()
	head, err := s.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, s.readError(err, schemas.Position{}, remedyPlain)
	}
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n"), []byte("{")), nil
}

// readRecord makes the row of an element, which may have several captions. image is its name in an
// object.
func (t *jsonTable) readRecord(image string, raw []byte) []Row {
	var row Row
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
	t.roles.fillRow(&row, func(name string) cell {
		if c := get(name); !c.Null || name != Image || image == "" {
			return c
		}
		return cell{Kept: Kept{Text: image}, kind: textCell}
	})
	return []Row{row}
}

// jsonTableColumns returns the names in the first element of a list, or of an object of captions.
func jsonTableColumns(in *input) ([]string, error) {
	t := &jsonTable{}
	keyed, err := in.beginsWithBrace()
	if err != nil {
		return nil, err
	}
	l := &imageList{keyed: keyed, remedy: remedyJSON, rowsOf: func(image string, raw []byte) []Row {
		var row Row
		t.object.parseOrReject(raw, &row)
		return []Row{row}
	}}
	r, err := in.openImageList(l)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var row Row
	if err := r.next(&row); err != nil {
		return nil, err
	}
	if row.Reject != "" {
		return nil, errors.New(row.Detail)
	}
	return t.object.names, nil
}
