package schemas

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
)

// ParsedBuilder builds the columns of ParseFields row by row.
type ParsedBuilder struct {
	tokens                             *array.ListBuilder
	graph, object, attribute, relation *array.StructBuilder
	token                              *array.StructBuilder
	objects, attributes, relations     *array.ListBuilder
	parser                             *array.StringBuilder
	confidence                         *array.Float32Builder
}

// NewParsedBuilder returns a builder that allocates from mem. Call Release at the end.
func NewParsedBuilder(mem memory.Allocator) *ParsedBuilder {
	b := &ParsedBuilder{
		tokens:     array.NewBuilder(mem, TokensType()).(*array.ListBuilder),
		graph:      array.NewStructBuilder(mem, GraphType()),
		parser:     array.NewStringBuilder(mem),
		confidence: array.NewFloat32Builder(mem),
	}
	b.token = b.tokens.ValueBuilder().(*array.StructBuilder)
	b.objects = b.graph.FieldBuilder(0).(*array.ListBuilder)
	b.relations = b.graph.FieldBuilder(1).(*array.ListBuilder)
	b.object = b.objects.ValueBuilder().(*array.StructBuilder)
	b.relation = b.relations.ValueBuilder().(*array.StructBuilder)
	b.attributes = b.object.FieldBuilder(3).(*array.ListBuilder)
	b.attribute = b.attributes.ValueBuilder().(*array.StructBuilder)
	return b
}

// Append adds a row.
func (b *ParsedBuilder) Append(p *Parsed) {
	b.tokens.Append(true)
	for _, t := range p.Tokens {
		b.token.Append(true)
		appendInt32(b.token, 0, t.Begin)
		appendInt32(b.token, 1, t.End)
		appendString(b.token, 2, t.Tag)
		appendString(b.token, 3, t.Lemma)
		appendFloat32(b.token, 4, t.Quality)
	}
	b.appendGraph(&p.Graph)
	b.parser.Append(p.Parser)
	b.confidence.Append(p.Confidence)
}

func (b *ParsedBuilder) appendGraph(g *SceneGraph) {
	b.graph.Append(true)
	b.objects.Append(true)
	for i := range g.Objects {
		o := &g.Objects[i]
		b.object.Append(true)
		appendString(b.object, 0, o.Name)
		appendString(b.object, 1, o.Head)
		appendString(b.object, 2, o.Quantity)
		b.attributes.Append(true)
		for _, a := range o.Attributes {
			b.attribute.Append(true)
			appendString(b.attribute, 0, a.Text)
			appendString(b.attribute, 1, a.Form)
			appendInt32(b.attribute, 2, a.Begin)
			appendInt32(b.attribute, 3, a.End)
			appendFloat32(b.attribute, 4, a.Confidence)
			appendString(b.attribute, 5, a.Status)
		}
		appendInt32(b.object, 4, o.Begin)
		appendInt32(b.object, 5, o.End)
		appendFloat32(b.object, 6, o.Confidence)
		appendString(b.object, 7, o.Status)
	}
	b.relations.Append(true)
	for _, r := range g.Relations {
		b.relation.Append(true)
		appendInt32(b.relation, 0, r.Subject)
		appendString(b.relation, 1, r.Predicate)
		appendString(b.relation, 2, r.Lemma)
		appendInt32(b.relation, 3, r.Object)
		appendInt32(b.relation, 4, r.Begin)
		appendInt32(b.relation, 5, r.End)
		appendFloat32(b.relation, 6, r.Confidence)
		appendString(b.relation, 7, r.Status)
	}
}

// NewColumns returns the columns of ParseFields with the rows so far, and empties the builder.
func (b *ParsedBuilder) NewColumns() []arrow.Array {
	return []arrow.Array{b.tokens.NewArray(), b.graph.NewArray(), b.parser.NewArray(), b.confidence.NewArray()}
}

// Release frees the memory of the builder.
func (b *ParsedBuilder) Release() {
	b.tokens.Release()
	b.graph.Release()
	b.parser.Release()
	b.confidence.Release()
}

func appendInt32(b *array.StructBuilder, field int, v int32) {
	b.FieldBuilder(field).(*array.Int32Builder).Append(v)
}

func appendFloat32(b *array.StructBuilder, field int, v float32) {
	b.FieldBuilder(field).(*array.Float32Builder).Append(v)
}

func appendString(b *array.StructBuilder, field int, v string) {
	b.FieldBuilder(field).(*array.StringBuilder).Append(v)
}

func sameType(rec arrow.Record, name string, want arrow.DataType) error {
	got := rec.Schema().Field(rec.Schema().FieldIndices(name)[0]).Type
	if !parquetio.SameShape(got, want) {
		return fmt.Errorf("column %q: want %s, it is %s", name, want, got)
	}
	return nil
}
