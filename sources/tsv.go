package sources

import "bytes"

// tsv reads CC12M's and CC3M's files: one row per line, two columns with a tab between them. There
// are no quotes: a quotation mark belongs to the caption.
type tsv struct {
	*lineReader
	url, caption int // index of the column with the URL, and with the caption
}

func openTSV(in *input, url, caption int) (rowReader, error) {
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	return &tsv{l, url, caption}, nil
}

func (t *tsv) next(row *Row) error {
	row.SourceRow = t.pos.Row
	line, long, err := t.readLine()
	if err != nil {
		return err
	}
	var column [2][]byte
	var tab bool
	column[0], column[1], tab = bytes.Cut(line, []byte{'\t'})
	switch {
	case long || len(line) > MaxLine:
		row.rejectLongLine(line)
		return nil
	case !tab:
		row.reject(RejectMalformed, "line %d has no tab: %s", row.SourceRow+1, clip(string(line), maxDetail/2))
		return nil
	case bytes.IndexByte(column[1], '\t') >= 0:
		row.reject(RejectMalformed, "line %d has more than two columns: %s", row.SourceRow+1, clip(string(line), maxDetail/2))
		return nil
	}
	row.Image = string(column[t.url])
	row.Caption = string(column[t.caption])
	row.ImageKey = row.Image
	for _, name := range t.in.opts.Keep {
		row.Keep = append(row.Keep, Kept{Text: string(t.columnByName(column, name))})
	}
	for _, c := range t.in.where {
		c.checkRow(row, cell{Kept: Kept{Text: string(t.columnByName(column, c.name))}, kind: textCell})
	}
	return nil
}

// columnByName returns the column with a name of Format.Fields.
func (t *tsv) columnByName(column [2][]byte, name string) []byte {
	if name == "url" {
		return column[t.url]
	}
	return column[t.caption]
}
