package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/pipeline"
	"capgraph/schemas"
)

// given assigns the columns of parsing from the graphs that the source brought:
// tokens come from the tagger, and offsets stand where the text is still the
// one that they index. The parser is asked for the rows that brought none.
func (s *parse) given(ctx context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
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
	var without []string
	for i := range texts.Len() {
		if parsers.Value(i) == "" {
			without = append(without, texts.Value(i))
		}
	}
	parsed := make([]schemas.Parsed, len(without))
	if len(without) > 0 {
		if err := s.parser.Parse(ctx, without, parsed); err != nil {
			return nil, err
		}
	}
	a := s.assign(report)
	a.asks = a.asks && len(without) > 0
	defer a.b.Release()
	var p schemas.Parsed
	for i := range texts.Len() {
		if parsers.Value(i) == "" {
			a.add(i, &parsed[0])
			parsed = parsed[1:]
			continue
		}
		p.Tokens = s.tagger.Tokens(texts.Value(i), p.Tokens)
		graphs.At(i, &p.Graph)
		if indexed.Value(i) != texts.Value(i) {
			forgetOffsets(&p.Graph)
		}
		p.Parser, p.Confidence = parsers.Value(i), confidence.Value(i)
		countGraph(&p, report)
		a.b.Append(&p)
	}
	return a.to(in), nil
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
