package stages

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/pipeline"
	"capgraph/schemas"
)

// given assigns the columns of parsing from the graphs that the source brought:
// tokens come from the tagger, and offsets stand where the text is still the
// one that they index.
func (s *parse) given(in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	texts, err := schemas.Column[*array.String](in, schemas.ColText)
	if err != nil {
		return nil, err
	}
	indexed, err := schemas.Column[*array.String](in, pipeline.ColGivenText)
	if err != nil {
		return nil, err
	}
	parsers, err := schemas.Column[*array.String](in, schemas.ColParser)
	if err != nil {
		return nil, err
	}
	confidence, err := schemas.Column[*array.Float32](in, schemas.ColConfidence)
	if err != nil {
		return nil, err
	}
	graphs, err := schemas.NewGraphView(in)
	if err != nil {
		return nil, err
	}
	b := schemas.NewParsedBuilder(s.env.Mem)
	defer b.Release()
	var p schemas.Parsed
	for i := range texts.Len() {
		p.Tokens = s.tagger.Tokens(texts.Value(i), p.Tokens)
		graphs.At(i, &p.Graph)
		if indexed.Value(i) != texts.Value(i) {
			forgetOffsets(&p.Graph)
		}
		p.Parser, p.Confidence = parsers.Value(i), confidence.Value(i)
		countGraph(&p.Graph, report)
		b.Append(&p)
	}
	return schemas.Assign(in, schemas.ParseFields(), b.NewColumns()), nil
}

// forgetOffsets makes all offsets NoOffset.
func forgetOffsets(g *schemas.SceneGraph) {
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Begin, o.End = schemas.NoOffset, schemas.NoOffset
		for j := range o.Attributes {
			o.Attributes[j].Begin, o.Attributes[j].End = schemas.NoOffset, schemas.NoOffset
		}
	}
	for i := range g.Relations {
		g.Relations[i].Begin, g.Relations[i].End = schemas.NoOffset, schemas.NoOffset
	}
}
