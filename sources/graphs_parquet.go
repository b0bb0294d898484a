package sources

import (
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/schemas"
)

// graphParquet reads Parquet files of capgraph's graphs/.
type graphParquet struct {
	table   *parquetTable
	in      *input
	hasSame bool         // the file has the column same_image
	batch   arrow.Record // the batch of view and confidence
	view    *schemas.GraphView
}

func openGraphParquet(in *input) (rowReader, error) {
	t, err := in.openTable()
	if err != nil {
		return nil, err
	}
	var columns []columnRole
	for _, name := range []string{
		schemas.ColKey, schemas.ColImageKey, schemas.ColImage, schemas.ColCaption,
		schemas.ColText, schemas.ColGraph, schemas.ColParser, schemas.ColConfidence,
	} {
		columns = append(columns, columnRole{name, "", true})
	}
	said := slices.Contains(t.parquetFile.Columns(), schemas.ColSame)
	if said {
		columns = append(columns, columnRole{schemas.ColSame, "", true})
	}
	own := len(columns)
	for _, c := range (columnRoles{keep: in.opts.Keep, where: in.where}).allColumns() {
		if !containsRole(columns[:own], c.name) {
			columns = append(columns, c)
		}
	}
	if err := t.openColumns(columns, append(schemas.GraphsSchema(nil).Fields(), schemas.SameField())); err != nil {
		t.close()
		return nil, err
	}
	return &graphParquet{table: t, in: in, hasSame: said}, nil
}

func containsRole(columns []columnRole, name string) bool {
	for _, c := range columns {
		if c.name == name {
			return true
		}
	}
	return false
}

func (p *graphParquet) next(row *Row) error {
	if err := p.table.next(row); err != nil || row.Reject != "" {
		return err
	}
	if p.batch != p.table.batch {
		view, err := schemas.NewGraphView(p.table.batch)
		if err != nil {
			return p.table.readError(err)
		}
		p.batch, p.view = p.table.batch, view
	}
	of := func(name string) string { return p.table.cell(name).Text }
	row.Key, row.ImageKey, row.Image = of(schemas.ColKey), of(schemas.ColImageKey), of(schemas.ColImage)
	row.Caption, row.Text, row.Parser = of(schemas.ColCaption), of(schemas.ColText), of(schemas.ColParser)
	row.Confidence = p.confidence()
	p.readSame(row)
	for _, w := range p.in.where {
		w.checkRow(row, p.table.cell(w.name))
	}
	for _, name := range p.in.opts.Keep {
		row.Keep = append(row.Keep, p.table.cell(name).keptValue())
	}
	if p.view.Null(p.table.batchRow) {
		if row.Reject == "" {
			row.reject(RejectMissingGraph, "%s is null", schemas.ColGraph)
		}
		return nil
	}
	g := new(schemas.SceneGraph)
	p.view.WholeAt(p.table.batchRow, g)
	row.setGraph(cloneTexts(g))
	return nil
}

// readSame sets row.Same from the column same_image, if there is one.
func (p *graphParquet) readSame(row *Row) {
	if !p.hasSame {
		return
	}
	at := p.table.batch.Schema().FieldIndices(schemas.ColSame)[0]
	all := p.table.batch.Column(at).(*array.List)
	if all.IsNull(p.table.batchRow) {
		return
	}
	from, to := all.ValueOffsets(p.table.batchRow)
	for i := from; i < to; i++ {
		row.Same = append(row.Same, uint64(all.ListValues().(*array.Int64).Value(int(i))))
	}
}

// confidence returns the confidence of the current row; NaN if it is null.
func (p *graphParquet) confidence() float32 {
	c := p.table.cell(schemas.ColConfidence)
	if c.Null {
		return float32(math.NaN())
	}
	return float32(c.Float)
}

// cloneTexts copies the texts of g, since they are in the memory of the batch.
func cloneTexts(g *schemas.SceneGraph) *schemas.SceneGraph {
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Name, o.Head, o.Quantity = strings.Clone(o.Name), strings.Clone(o.Head), strings.Clone(o.Quantity)
		for j := range o.Attributes {
			a := &o.Attributes[j]
			a.Text, a.Form = strings.Clone(a.Text), strings.Clone(a.Form)
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		r.Predicate, r.Lemma = strings.Clone(r.Predicate), strings.Clone(r.Lemma)
	}
	return g
}

// keptType implements typer.
func (p *graphParquet) keptType(name string) schemas.KeptType { return p.table.keptType(name) }

func (p *graphParquet) position() schemas.Position {
	return schemas.Position{Row: p.table.row, Offset: -1}
}

func (p *graphParquet) close() error { return p.table.close() }
