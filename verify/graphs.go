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
				for fault := range g.Faults(int(length)) {
					bad(key, "%s", fault)
				}
			}
			return nil
		})
	})
}
