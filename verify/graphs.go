package verify

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/stages"
)

var graphColumns = []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText, schemas.ColTokens, schemas.ColGraph}

func (c *check) graphs() error {
	return c.done(stages.PassParse, func(s pipeline.Shard, _ *pipeline.Entry) error {
		var g schemas.SceneGraph
		var tokens []schemas.Token
		return c.rows(stages.PassParse, stages.Graphs, s.Name, graphColumns, func(rec arrow.Record, bad func(string, string, ...any)) error {
			keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
			if err != nil {
				return err
			}
			texts, err := schemas.Column[*array.String](rec, schemas.ColText)
			if err != nil {
				return err
			}
			tokensView, err := schemas.NewTokensView(rec)
			if err != nil {
				return err
			}
			graphsView, err := schemas.NewGraphView(rec)
			if err != nil {
				return err
			}
			for i := range keys.Len() {
				key, length := keys.Value(i), int32(len(texts.Value(i)))
				tokens = tokensView.At(i, tokens)
				graphsView.At(i, &g)
				for _, t := range tokens {
					if t.Begin < 0 || t.End > length || t.Begin > t.End {
						bad(key, "a token is bytes %d to %d of a text of %d", t.Begin, t.End, length)
					}
				}
				checkGraph(&g, length, func(what string, args ...any) { bad(key, what, args...) })
			}
			return nil
		})
	})
}

// checkGraph tells what in g leads nowhere; length is that of its text, in
// bytes.
func checkGraph(g *schemas.SceneGraph, length int32, bad func(what string, args ...any)) {
	said := func(of string, begin, end int32) {
		nowhere := begin == schemas.NoOffset && end == schemas.NoOffset
		if !nowhere && (begin < 0 || end > length || begin > end) {
			bad("%s is bytes %d to %d of a text of %d", of, begin, end, length)
		}
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		if o.Name == "" {
			bad("object %d has no name", i)
		}
		said("object "+o.Name, o.Begin, o.End)
		for _, a := range o.Attributes {
			if a.Text == "" || a.Form != schemas.Pre && a.Form != schemas.Post {
				bad("the attribute %q of object %s has the form %q", a.Text, o.Name, a.Form)
			}
			said("attribute "+a.Text, a.Begin, a.End)
		}
	}
	objects := int32(len(g.Objects))
	for i := range g.Relations {
		r := &g.Relations[i]
		if r.Subject < 0 || r.Subject >= objects || r.Object < 0 || r.Object >= objects || r.Subject == r.Object {
			bad("relation %q leads from object %d to %d of %d", r.Predicate, r.Subject, r.Object, objects)
		}
		if r.Predicate == "" {
			bad("relation %d has no predicate", i)
		}
		said("relation "+r.Predicate, r.Begin, r.End)
	}
}
