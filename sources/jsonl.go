package sources

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonl reads JSON lines: one object a line, with the captions in the column that Options.Columns
// names.
type jsonl struct {
	*lineReader
	roles  columnRoles
	object jsonObject
	table  jsonTable // reads lines that are an image with its captions: {"1.jpg": "a dog"}
}

func openJSONL(in *input) (rowReader, error) {
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	j := &jsonl{lineReader: l, roles: in.newRoles()}
	j.roles.columns = func() []string { return j.object.names }
	j.table.roles = j.roles
	return j, nil
}

func (j *jsonl) next(row *Row) error {
	row.SourceRow = j.pos.Row
	line, long, err := j.readLine()
	if err != nil {
		return err
	}
	if long || len(line) > MaxLine {
		row.rejectLongLine(line)
		return nil
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		row.reject(RejectMalformed, "line %d is empty", row.SourceRow+1)
		return nil
	}
	line = replaceNaN(line)
	image, captions := imageAndCaptions(line)
	if captions == nil {
		if !j.object.parseOrReject(line, row) {
			return nil
		}
		if len(j.object.names) != 1 || !isImageName(j.object.names[0]) {
			j.roles.fillRow(row, j.object.cellOf)
			return nil
		}
		image, captions = j.object.names[0], j.object.values[0]
	}
	keep, number := row.Keep, row.SourceRow
	*row = j.table.readRecord(image, captions)[0]
	row.Keep, row.SourceRow = append(keep, row.Keep...), number
	return nil
}

// imageAndCaptions returns the image and its captions of a line such as ["1.jpg", "a dog"]. captions is nil
// for other lines.
func imageAndCaptions(line []byte) (image string, captions jsontext.Value) {
	if line[0] != '[' || !utf8.Valid(line) {
		return "", nil
	}
	values, err := nestedElements(line)
	if err != nil || len(values) < 2 || values[0].Kind() != '"' || !isImageName(jsonCell(values[0]).Text) {
		return "", nil
	}
	return jsonCell(values[0]).Text, joinValues(slices.DeleteFunc(values[1:], func(v jsontext.Value) bool { return v.Kind() != '"' }))
}

// jsonColumns returns the field names of the object in the first line.
func jsonColumns(in *input) ([]string, error) {
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	defer l.close()
	line, _, err := l.readLine()
	if err != nil {
		return nil, err
	}
	var row Row
	var first jsonObject
	if !first.parseOrReject(replaceNaN(bytes.TrimSpace(line)), &row) {
		return nil, errors.New(row.Detail)
	}
	if path.Ext(in.file.Path) == ".json" { // may be a document in one line, whose lists are not the captions of one row
		if more, _, _ := l.readLine(); len(bytes.TrimSpace(more)) == 0 {
			return nil, errOneDocument
		}
		return first.names, nil
	}
	if len(first.names) == 1 && isImageName(first.names[0]) {
		return []string{}, nil // an image and its captions
	}
	return first.fieldNames(), nil
}

// errOneDocument is returned for a file with one JSON object whose extension is .json. The format json
// reads such a file, or its error names the shape of the file.
var errOneDocument = errors.New("has one line, which is a JSON document (source.format: json)")
