package sources

import (
	"bytes"
	"errors"
	"path"
)

// jsonl reads JSON lines: one object a line, with the captions in the column that Options.Columns
// names.
type jsonl struct {
	*lineReader
	roles  columnRoles
	object jsonObject
}

func openJSONL(in *input) (rowReader, error) {
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	j := &jsonl{lineReader: l, roles: in.newRoles()}
	j.roles.columns = func() []string { return j.object.names }
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
	if j.object.parseOrReject(replaceNaN(line), row) {
		j.roles.fillRow(row, j.object.cellOf)
	}
	return nil
}

// jsonColumns returns the names of the first line's object.
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
	if path.Ext(in.file.Path) == ".json" { // perhaps a document in one line, whose lists are no captions of one row
		if more, _, _ := l.readLine(); len(bytes.TrimSpace(more)) == 0 {
			return nil, errOneDocument
		}
		return first.names, nil
	}
	return first.fieldNames(), nil
}

// errOneDocument is the error of a file with one object that does not have the name of JSON lines. The
// format json reads such a file, or names its shape.
var errOneDocument = errors.New("has one line, which is a JSON document (source.format: json)")
