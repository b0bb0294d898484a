package sources

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// graphCSV reads FACTUAL's CSV. Its header has at least a caption and a scene_graph in linearised
// form. A region_id, if there is one, is the key, and an image_id the image key. Unlike in the TSV
// formats, cells may be quoted.
type graphCSV struct {
	*byteStream
	budget      limitedReader
	csv         *csv.Reader
	roles       columnRoles
	graphColumn string
	header      []string
	record      []string
	base        int64 // offset in the file of the first byte that csv reads
	pos         schemas.Position
}

// The columns of FACTUAL's files.
const (
	columnFactualGraph = "scene_graph"
	columnFactualKey   = "region_id"
	columnFactualImage = "image_id"
	remedyFactual      = "name the columns: source.columns: {caption: NAME, graph: NAME}"
)

var errRecordTooLong = fmt.Errorf("a row is longer than %d bytes, perhaps for a quotation mark that does not close", MaxLine)

func openGraphCSV(in *input) (rowReader, error) {
	beginning := *in
	beginning.from = schemas.Position{}
	g, err := beginning.openGraphCSV()
	if err != nil || in.from.Offset <= 0 || !g.uncompressed {
		return g, err
	}
	defer g.close()
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	resumed := &graphCSV{byteStream: s, roles: g.roles, graphColumn: g.graphColumn, header: g.header, base: in.from.Offset, pos: in.from}
	resumed.startReader()
	return resumed, nil
}

// openGraphCSV opens the file and reads its header.
func (in *input) openGraphCSV() (*graphCSV, error) {
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	if err := s.decodeText(); err != nil {
		s.close()
		return nil, err
	}
	g := &graphCSV{byteStream: s}
	if head, _ := s.Peek(len(byteOrderMark)); string(head) == string(byteOrderMark) {
		s.Discard(len(byteOrderMark))
		g.base = int64(len(byteOrderMark))
	}
	g.startReader()
	if err := g.readHeader(); err != nil {
		s.close()
		return nil, err
	}
	return g, nil
}

func (g *graphCSV) startReader() {
	g.budget = limitedReader{r: g.byteStream}
	g.csv = csv.NewReader(&g.budget)
	g.csv.FieldsPerRecord = -1
	g.csv.ReuseRecord = true
}

func (g *graphCSV) readHeader() error {
	record, err := g.readRecord()
	if errors.Is(err, io.EOF) {
		err = errors.New("is empty and has no header")
	}
	if err != nil {
		return g.readError(err, schemas.Position{Offset: 0}, remedyFactual)
	}
	g.header = slices.Clone(record)
	g.pos.Offset = g.base + g.csv.InputOffset()
	has := func(name string) string {
		if slices.Contains(g.header, name) {
			return name
		}
		return ""
	}
	o := g.in.opts
	g.graphColumn = o.columnOf(Graph, columnFactualGraph)
	g.roles = columnRoles{
		captions: []string{o.columnOf(Caption, Caption)}, image: o.columnOf(Image, ""), guessImage: true,
		key: o.columnOf(Key, has(columnFactualKey)), imageKey: o.columnOf(ImageKey, has(columnFactualImage)),
		keep: o.Keep, where: g.in.where,
	}
	for _, c := range append(g.roles.allColumns(), columnRole{g.graphColumn, Graph, true}) {
		if c.required && has(c.name) == "" && outerColumn(c.name, func(name string) bool { return has(name) != "" }) == "" {
			return g.in.malformedError(schemas.Position{Offset: 0}, fmt.Errorf("has no column %q; its header is %s",
				c.name, clip(strings.Join(g.header, ", "), maxDetail)), remedyFactual)
		}
	}
	return nil
}

func (g *graphCSV) readRecord() ([]string, error) {
	g.budget.left = MaxLine
	record, err := g.csv.Read()
	if errors.Is(err, errTooLarge) {
		err = errRecordTooLong
	}
	return record, err
}

func (g *graphCSV) next(row *Row) error {
	record, err := g.readRecord()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	var p *csv.ParseError
	oneLine := errors.As(err, &p) && p.StartLine == p.Line
	if err != nil && !oneLine {
		return g.readError(err, g.pos, "quote the cells, and double the quotation marks in them")
	}
	row.SourceRow = g.pos.Row
	g.pos = schemas.Position{Row: g.pos.Row + 1, Offset: g.base + g.csv.InputOffset()}
	switch {
	case err != nil:
		row.reject(RejectMalformed, "%v", p.Err)
	case len(record) != len(g.header):
		row.reject(RejectMalformed, "%d cells, and the header has %d", len(record), len(g.header))
	default:
		g.record = record
		g.fillRow(row)
	}
	return nil
}

func (g *graphCSV) fillRow(row *Row) {
	g.roles.fillRow(row, g.cell)
	row.Parser, row.Confidence = parserFactual, 1
	graph, err := scenegraph.ParseFactual(g.cell(g.graphColumn).Text)
	if err != nil && row.Reject == "" {
		row.reject(RejectMalformedGraph, "%v", err)
	}
	graph.SetConfidence(1)
	row.setGraph(&graph)
}

// cell returns the current row's text in a column, which may be empty.
func (g *graphCSV) cell(name string) cell {
	i := slices.Index(g.header, name)
	if i < 0 {
		return cell{Kept: Kept{Null: true}}
	}
	return cell{Kept: Kept{Text: strings.Clone(g.record[i])}, kind: textCell}
}

func (g *graphCSV) position() schemas.Position {
	if !g.uncompressed {
		return schemas.Position{Row: g.pos.Row, Offset: -1}
	}
	return g.pos
}
