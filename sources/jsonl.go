package sources

import (
	"bytes"
	"errors"
)

// jsonl reads JSON lines: one object a line, captions in the column that
// Options.Columns says.
type jsonl struct {
	*lines
	roles roles
	row   object
}

func openJSONL(in *input) (rows, error) {
	l, err := in.lines()
	if err != nil {
		return nil, err
	}
	return &jsonl{lines: l, roles: in.roles()}, nil
}

func (j *jsonl) next(row *Row) error {
	row.SourceRow = j.at.Row
	line, long, err := j.line()
	if err != nil {
		return err
	}
	if long || len(line) > MaxLine {
		row.rejectLong(line)
		return nil
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		row.reject(RejectMalformed, "line %d is empty", row.SourceRow+1)
		return nil
	}
	if j.row.parse(line, row) {
		j.roles.fill(row, j.row.cell)
	}
	return nil
}

// jsonColumns are the names of the first line's object.
func jsonColumns(in *input) ([]string, error) {
	l, err := in.lines()
	if err != nil {
		return nil, err
	}
	defer l.close()
	line, _, err := l.line()
	if err != nil {
		return nil, err
	}
	var row Row
	var first object
	if !first.parse(bytes.TrimSpace(line), &row) {
		return nil, errors.New(row.Detail)
	}
	return first.names, nil
}
