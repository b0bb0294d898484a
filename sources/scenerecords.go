package sources

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// openSceneRecords opens a file whose records are images with graphs: Parquet with these columns, JSON lines, or
// a JSON list (or another document that l describes). l.rowsOf returns the rows of an image.
func (in *input) openSceneRecords(l *imageList, columns ...string) (rowReader, error) {
	beginning := *in
	beginning.from = schemas.Position{}
	f, err := in.openFile()
	if err != nil {
		return nil, err
	}
	var mark [4]byte
	n, err := f.ReadAt(mark[:], 0)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(mark[:n]) == "PAR1" {
		t, err := beginning.openTable()
		if err != nil {
			return nil, err
		}
		var all []columnRole
		for i, name := range columns {
			all = append(all, columnRole{name, "", i == 0})
		}
		if err := t.openColumns(all, nil); err != nil {
			t.close()
			return nil, err
		}
		return &sceneTable{parquetTable: t, rowsOf: l.rowsOf, columns: columns}, nil
	}
	s, err := beginning.openStream()
	if err != nil {
		return nil, err
	}
	head, _ := s.Peek(512)
	s.close()
	head = bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))
	if l.keyed || !bytes.HasPrefix(head, []byte("{")) {
		return in.openImageList(l)
	}
	lines, err := in.openLines()
	if err != nil {
		return nil, err
	}
	r := &sceneLines{lineReader: lines, rowsOf: l.rowsOf}
	r.pending.returned = lines.pos.Row // the row to start from, if its offset was known
	return r, nil
}

// pendingRows are the rows of the current record that are not yet returned. returned counts the rows of the
// file that are.
type pendingRows struct {
	rows     []Row
	returned int64
}

// takeRow moves the next of the rows to row and keeps row's memory.
func (p *pendingRows) takeRow(row *Row) {
	keep := row.Keep
	*row = p.rows[0]
	row.Keep = append(keep, row.Keep...)
	p.rows = p.rows[1:]
	row.SourceRow = p.returned
	p.returned++
}

// sceneLines reads JSON lines of one image each.
type sceneLines struct {
	*lineReader
	rowsOf  func(key string, raw []byte) []Row
	pending pendingRows
}

func (s *sceneLines) next(row *Row) error {
	for len(s.pending.rows) == 0 {
		line, long, err := s.readLine()
		if err != nil {
			return err
		}
		var bad Row
		bad.SourceRow = s.pending.returned
		switch line = bytes.TrimSpace(line); {
		case long || len(line) > MaxLine:
			bad.rejectLongLine(append(line, make([]byte, maxDetail)...))
			s.pending.rows = []Row{bad}
		case len(line) == 0:
			bad.reject(RejectMalformed, "a line is empty")
			s.pending.rows = []Row{bad}
		default:
			s.pending.rows = s.rowsOf("", bytes.Clone(line))
		}
	}
	s.pending.takeRow(row)
	return nil
}

// position returns the end of the line. Between two rows of a line the offset is unknown.
func (s *sceneLines) position() schemas.Position {
	p := schemas.Position{Row: s.pending.returned, Offset: -1}
	if len(s.pending.rows) == 0 && s.uncompressed {
		p.Offset = s.lineReader.pos.Offset
	}
	return p
}

// sceneTable reads Parquet rows of one image each.
type sceneTable struct {
	*parquetTable
	rowsOf  func(key string, raw []byte) []Row
	columns []string
	pending pendingRows
}

func (t *sceneTable) next(row *Row) error {
	for len(t.pending.rows) == 0 {
		var bad Row
		if err := t.parquetTable.next(&bad); err != nil {
			return err
		}
		if bad.Reject != "" {
			t.pending.rows = []Row{bad}
			break
		}
		t.pending.rows = t.rowsOf("", t.recordJSON())
	}
	t.pending.takeRow(row)
	return nil
}

// recordJSON returns the current row as a JSON object.
func (t *sceneTable) recordJSON() []byte {
	raw := []byte{'{'}
	for _, name := range t.columns {
		c := t.cell(name)
		if c.Null {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(strconv.AppendQuote(raw, name), ':')
		text := c.String()
		if v := jsontext.Value(text); c.kind == textCell || !v.IsValid() {
			quoted, err := jsontext.AppendQuote(nil, text)
			if err != nil {
				quoted, _ = jsontext.AppendQuote(nil, clip(text, len(text)))
			}
			text = string(quoted)
		}
		raw = append(raw, text...)
	}
	return append(raw, '}')
}

// position implements rowReader. The offset is unknown, so that rows are read again from the beginning.
func (t *sceneTable) position() schemas.Position {
	return schemas.Position{Row: t.pending.returned, Offset: -1}
}
