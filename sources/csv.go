package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"capgraph/schemas"
)

// csvTable reads tables with a header, with quotes as in RFC 4180. A quoted cell begins with a
// quotation mark and ends at the next one that is not doubled, which may be in a later line. Within
// an unquoted cell, a quotation mark is an ordinary character.
type csvTable struct {
	*lineReader
	roles     columnRoles
	delimiter byte
	header    []string
	split     cellSplitter
	// lines are the lines read ahead, which are not yet part of a row; used is the offset after the last row.
	lines []csvLine
	rows  int64
	used  int64
}

// csvLine is a line of a table; end is the offset after it. If long is set, text is only its
// beginning.
type csvLine struct {
	text []byte
	long bool
	end  int64
}

// csvDelimiters are the delimiters that are tried, the likeliest first.
const csvDelimiters = ",\t;|"

// maxCellLines bounds the lines of a row. A row with more has an unclosed quotation mark.
const maxCellLines = 1 << 14

const remedyCSV = `write a first line with the names of the columns, such as image,caption, and say which is which: source.columns: {caption: NAME, image: NAME}`

// openCSV opens a table whose delimiter is one of delimiters.
func openCSV(in *input, delimiters string) (rowReader, error) {
	beginning := *in
	beginning.from = schemas.Position{}
	c, err := beginning.openCSVHeader(delimiters)
	if err != nil {
		return nil, err
	}
	if err := c.checkColumns(); err != nil {
		c.close()
		return nil, err
	}
	if in.from.Offset <= 0 || !c.uncompressed {
		return c, nil
	}
	defer c.close()
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	resumed := &csvTable{lineReader: l, roles: c.roles, delimiter: c.delimiter, header: c.header, rows: in.from.Row, used: in.from.Offset}
	resumed.roles.columns = func() []string { return resumed.header }
	return resumed, nil
}

// csvColumns returns the columns of a table. If the first row has JSON objects in a column, their fields are
// listed in place of the column.
func csvColumns(in *input, delimiters string) ([]string, error) {
	c, err := in.openCSVHeader(delimiters)
	if err != nil {
		return nil, err
	}
	defer c.close()
	if len(c.header) == 1 && !isUsual(c.header[0], captionNames) {
		return nil, fmt.Errorf("has one column, %q", clip(c.header[0], maxDetail/2))
	}
	var row Row
	if c.readRow(&row) != nil || row.Reject != "" {
		return c.header, nil
	}
	var names []string
	for i, n := range c.header {
		if v := literalValue(c.split.cellText(i)); v != nil {
			names = appendFieldNames(names, n, v, 0)
		} else {
			names = append(names, n)
		}
	}
	return names, nil
}

// openCSVHeader opens the file and reads its header. Of delimiters it takes the one that is most
// frequent in the header.
func (in *input) openCSVHeader(delimiters string) (*csvTable, error) {
	l, err := in.openLines()
	if err != nil {
		return nil, err
	}
	c := &csvTable{lineReader: l, roles: in.newRoles()}
	c.roles.columns = func() []string { return c.header }
	if err := c.readHeader(delimiters); err != nil {
		l.close()
		return nil, err
	}
	return c, nil
}

func (c *csvTable) readHeader(delimiters string) error {
	fault := func(text string) error {
		return c.in.malformedError(schemas.Position{Offset: 0}, errors.New(text), remedyCSV)
	}
	first, err := c.pendingLine(0)
	if errors.Is(err, io.EOF) {
		return fault("is empty and has no header")
	}
	if err != nil {
		return err
	}
	if d, ok := excelDelimiter(first.text); ok {
		c.consumeLines(1)
		if first, err = c.pendingLine(0); err != nil {
			return fault("has no header behind its first line, sep=")
		}
		if strings.IndexByte(delimiters, d) < 0 && len(delimiters) == 1 {
			return fault(fmt.Sprintf("is divided by %q and not by tabs: set source.format: csv", d))
		}
		delimiters = string(d)
	}
	for i := range len(delimiters) {
		d := delimiters[i]
		if s := splitLine(first.text, d); len(s.ends) > len(c.split.ends) {
			c.delimiter, c.split = d, s
		}
	}
	switch {
	case first.long || len(first.text) > MaxLine:
		return fault("the first line is too long to be a header")
	case c.split.state == inQuotes || c.split.state == badQuotes:
		return fault("the first line has a quotation mark that does not close")
	case !utf8.Valid(first.text):
		return fault("the first line is not UTF-8")
	}
	for i := range c.split.ends {
		c.header = append(c.header, strings.TrimSpace(c.split.cellText(i)))
	}
	if line := strings.TrimSpace(string(first.text)); len(c.header) == 0 || looksLikeRow(c.header) {
		return fault(fmt.Sprintf("has no header: its first line is %s", clip(line, maxDetail/2)))
	}
	c.consumeLines(1)
	return nil
}

// excelDelimiter returns the delimiter if the first line names it for Excel, such as "sep=;".
func excelDelimiter(line []byte) (byte, bool) {
	line = bytes.Trim(bytes.TrimSpace(line), `"`)
	after, ok := bytes.CutPrefix(bytes.ToLower(line), []byte("sep="))
	switch {
	case !ok:
		return 0, false
	case len(after) == 0: // a tab, which was trimmed
		return '\t', true
	}
	return after[0], len(after) == 1
}

// looksLikeRow reports whether the first line of a table is a row and not a header: it is JSON, or a
// cell is a URL or an image's name.
func looksLikeRow(cells []string) bool {
	if strings.HasPrefix(cells[0], "{") || strings.HasPrefix(cells[0], "[") {
		return true
	}
	return slices.ContainsFunc(cells, func(s string) bool {
		return isImageName(s)
	})
}

// cutLast cuts s around the last sep, as strings.Cut does around the first.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// checkColumns returns an error if a required column is missing.
func (c *csvTable) checkColumns() error {
	for _, r := range c.roles.allColumns() {
		has := func(name string) bool { return slices.Contains(c.header, name) || c.in.file.hasPartition(name) }
		if r.required && !has(r.name) && outerColumn(r.name, has) == "" {
			remedy := "choose among them in source.keep and source.where"
			if r.role != "" {
				remedy = fmt.Sprintf("say which of them it is: source.columns: {%s: NAME}", r.role)
			}
			return c.in.malformedError(schemas.Position{Offset: -1},
				fmt.Errorf("has no column %q; it has %s", r.name, clip(strings.Join(c.header, ", "), 4*maxDetail)), remedy)
		}
	}
	return nil
}

// pendingLine returns the i-th line that is not yet part of a row.
func (c *csvTable) pendingLine(i int) (csvLine, error) {
	for len(c.lines) <= i {
		text, long, err := c.readLine()
		if err != nil {
			return csvLine{}, err
		}
		c.lines = append(c.lines, csvLine{bytes.Clone(text), long || len(text) > MaxLine, c.pos.Offset})
	}
	return c.lines[i], nil
}

// consumeLines removes n pending lines, which are now part of a row.
func (c *csvTable) consumeLines(n int) {
	c.used = c.lines[n-1].end
	c.lines = slices.Delete(c.lines, 0, n)
}

func (c *csvTable) next(row *Row) error {
	err := c.readRow(row)
	if err == nil && row.Reject == "" {
		c.roles.fillRow(row, c.cellNamed)
	}
	return err
}

// readRow splits the next row into cells, or rejects it.
func (c *csvTable) readRow(row *Row) error {
	first, err := c.pendingLine(0)
	if err != nil {
		return err
	}
	row.SourceRow = c.rows
	c.rows++
	if first.long {
		c.consumeLines(1)
		row.reject(RejectLineTooLong, "the row is longer than %d bytes: %s", MaxLine, clip(string(first.text), maxDetail/2))
		return nil
	}
	c.split.beginRow(c.delimiter)
	c.split.addLine(first.text)
	lines := 1
	for c.split.state == inQuotes && lines < maxCellLines && len(c.split.text) <= MaxLine {
		more, err := c.pendingLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		c.split.addLine(more.text)
		lines++
	}
	fault := ""
	switch {
	case c.split.state == inQuotes:
		fault = "a quotation mark does not close"
	case c.split.state == badQuotes:
		fault = "something follows a quotation mark that closes"
	case len(c.split.ends) != len(c.header):
		fault = fmt.Sprintf("%d cells, and the header has %d", len(c.split.ends), len(c.header))
	}
	if fault != "" {
		// After an unclosed or misplaced quotation mark, the following lines may be rows of their own.
		if c.split.state == inQuotes || c.split.state == badQuotes {
			lines = 1
		}
		c.consumeLines(lines)
		row.reject(RejectMalformed, "%s: %s", fault, clip(string(first.text), maxDetail/2))
		return nil
	}
	c.consumeLines(lines)
	return nil
}

// cellNamed returns the current row's cell in a column. An empty one is null.
func (c *csvTable) cellNamed(name string) cell {
	i := slices.Index(c.header, name)
	if i < 0 {
		return cell{Kept: Kept{Null: true}}
	}
	text := c.split.cellText(i)
	return cell{Kept: Kept{Text: text, Null: text == ""}, kind: textCell}
}

// position returns the position of the next row.
func (c *csvTable) position() schemas.Position {
	if !c.uncompressed {
		return schemas.Position{Row: c.rows, Offset: -1}
	}
	return schemas.Position{Row: c.rows, Offset: c.used}
}

// quoteState is the state of a cellSplitter within a cell.
type quoteState int

const (
	cellStart quoteState = iota
	unquoted
	inQuotes
	afterQuote // after a quotation mark in a quoted cell; if another follows, the two stand for one
	badQuotes  // after a closing quotation mark comes something other than a delimiter
)

// cellSplitter splits lines into cells.
type cellSplitter struct {
	delimiter byte
	state     quoteState
	text      []byte // the text of all cells
	ends      []int  // end of each cell in text
}

// splitLine splits a single line.
func splitLine(line []byte, delimiter byte) (s cellSplitter) {
	s.beginRow(delimiter)
	s.addLine(line)
	return s
}

// beginRow resets s for the next row.
func (s *cellSplitter) beginRow(delimiter byte) {
	*s = cellSplitter{delimiter: delimiter, text: s.text[:0], ends: s.ends[:0]}
}

// addLine splits a line. If the state is inQuotes afterwards, the row continues in the next line.
func (s *cellSplitter) addLine(line []byte) {
	if s.state == inQuotes {
		s.text = append(s.text, '\n')
	}
	for _, b := range line {
		switch {
		case s.state == inQuotes && b == '"':
			s.state = afterQuote
		case s.state == inQuotes, s.state == unquoted && b != s.delimiter:
			s.text = append(s.text, b)
		case b == s.delimiter:
			s.endCell()
		case s.state == cellStart && b == '"':
			s.text = s.text[:s.cellBegin()]
			s.state = inQuotes
		case s.state == cellStart:
			if s.text = append(s.text, b); b != ' ' {
				s.state = unquoted
			}
		case b == '"': // the second of two
			s.text = append(s.text, b)
			s.state = inQuotes
		default:
			s.state = badQuotes
			return
		}
	}
	if s.state != inQuotes {
		s.endCell()
	}
}

// endCell ends a cell. Spaces around an unquoted cell are removed.
func (s *cellSplitter) endCell() {
	if s.state == unquoted || s.state == cellStart {
		begin := s.cellBegin()
		trimmed := bytes.Trim(s.text[begin:], " ")
		s.text = append(s.text[:begin], trimmed...)
	}
	s.ends = append(s.ends, len(s.text))
	s.state = cellStart
}

// cellBegin returns where the current cell begins in text.
func (s *cellSplitter) cellBegin() int {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// cellText returns the i-th cell.
func (s *cellSplitter) cellText(i int) string {
	begin := 0
	if i > 0 {
		begin = s.ends[i-1]
	}
	return string(s.text[begin:s.ends[i]])
}
