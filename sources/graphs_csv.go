package sources

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/scenegraph"
)

// graphCSV reads FACTUAL's CSV: a header with at least a caption and a
// scene_graph in the linearised form; region_id is the key and image_id the
// image key, where they are there. Unlike in the TSV formats, cells are quoted.
type graphCSV struct {
	*stream
	budget budget
	csv    *csv.Reader
	roles  roles
	graph  string
	header []string
	record []string
	base   int64 // offset in the stream of the first byte of csv
	at     Position
}

// The columns of FACTUAL's files.
const (
	factualGraph  = "scene_graph"
	factualKey    = "region_id"
	factualImage  = "image_id"
	remedyFactual = "name the columns: source.columns: {caption: NAME, graph: NAME}"
)

var errRecordTooLong = fmt.Errorf("a row is longer than %d bytes, perhaps for a quotation mark that does not close", MaxLine)

func openGraphCSV(in *input) (rows, error) {
	beginning := *in
	beginning.from = Position{}
	g, err := beginning.graphCSV()
	if err != nil || in.from.Offset <= 0 || !g.plain {
		return g, err
	}
	defer g.close()
	s, err := in.stream()
	if err != nil {
		return nil, err
	}
	resumed := &graphCSV{stream: s, roles: g.roles, graph: g.graph, header: g.header, base: in.from.Offset, at: in.from}
	resumed.start()
	return resumed, nil
}

// graphCSV opens the file and reads its header.
func (in *input) graphCSV() (*graphCSV, error) {
	s, err := in.stream()
	if err != nil {
		return nil, err
	}
	g := &graphCSV{stream: s}
	if head, _ := s.Peek(len(bom)); string(head) == string(bom) {
		s.Discard(len(bom))
		g.base = int64(len(bom))
	}
	g.start()
	if err := g.readHeader(); err != nil {
		s.close()
		return nil, err
	}
	return g, nil
}

func (g *graphCSV) start() {
	g.budget = budget{r: g.stream}
	g.csv = csv.NewReader(&g.budget)
	g.csv.FieldsPerRecord = -1
	g.csv.ReuseRecord = true
}

func (g *graphCSV) readHeader() error {
	record, err := g.read()
	if errors.Is(err, io.EOF) {
		err = errors.New("is empty and has no header")
	}
	if err != nil {
		return g.failed(err, Position{Offset: 0}, remedyFactual)
	}
	g.header = slices.Clone(record)
	g.at.Offset = g.base + g.csv.InputOffset()
	has := func(name string) string {
		if slices.Contains(g.header, name) {
			return name
		}
		return ""
	}
	o := g.in.opts
	g.graph = o.column(Graph, factualGraph)
	g.roles = roles{
		caption: o.column(Caption, Caption), image: o.column(Image, ""), guess: true,
		key: o.column(Key, has(factualKey)), imageKey: o.column(ImageKey, has(factualImage)),
		keep: o.Keep, where: g.in.where,
	}
	for _, c := range append(g.roles.columns(), columnRole{g.graph, Graph, true}) {
		if c.must && has(c.name) == "" {
			return g.in.malformed(Position{Offset: 0}, fmt.Errorf("has no column %q; its header is %s",
				c.name, clip(strings.Join(g.header, ", "), maxDetail)), remedyFactual)
		}
	}
	return nil
}

func (g *graphCSV) read() ([]string, error) {
	g.budget.left = MaxLine
	record, err := g.csv.Read()
	if errors.Is(err, errTooLarge) {
		err = errRecordTooLong
	}
	return record, err
}

func (g *graphCSV) next(row *Row) error {
	record, err := g.read()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	var p *csv.ParseError
	oneLine := errors.As(err, &p) && p.StartLine == p.Line
	if err != nil && !oneLine {
		return g.failed(err, g.at, "quote the cells, and double the quotation marks in them")
	}
	row.SourceRow = g.at.Row
	g.at = Position{g.at.Row + 1, g.base + g.csv.InputOffset()}
	switch {
	case err != nil:
		row.reject(RejectMalformed, "%v", p.Err)
	case len(record) != len(g.header):
		row.reject(RejectMalformed, "%d cells, and the header has %d", len(record), len(g.header))
	default:
		g.record = record
		g.fill(row)
	}
	return nil
}

func (g *graphCSV) fill(row *Row) {
	g.roles.fill(row, g.cell)
	row.Parser, row.Confidence = parserFactual, 1
	graph, err := scenegraph.ParseFactual(g.cell(g.graph).Text)
	if err != nil && row.Reject == "" {
		row.reject(RejectMalformedGraph, "%v", err)
	}
	row.take(&graph)
}

// cell is the current row's value of a column: a text, though it may be empty.
func (g *graphCSV) cell(name string) cell {
	i := slices.Index(g.header, name)
	if i < 0 {
		return cell{Kept: Kept{Null: true}}
	}
	return cell{Kept: Kept{Text: strings.Clone(g.record[i])}, kind: textCell}
}

func (g *graphCSV) position() Position {
	if !g.plain {
		return Position{g.at.Row, -1}
	}
	return g.at
}
