package verify

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/schemas"
)

// checkGraphs checks the rows of graphs/ and the statistics in their entries.
func (c *check) checkGraphs() error {
	columns := []string{schemas.ColKey, schemas.ColImageKey, schemas.ColSource, schemas.ColSourceRow, schemas.ColText}
	for _, f := range schemas.ParseFields() {
		columns = append(columns, f.Name)
	}
	return c.forEachShard(folder.PassParse, func(c *check, s folder.Shard, e *folder.Entry) error {
		graphs := graphCheck{source: c.state.Index.Files[s.File].Name}
		var found rowStats
		err := c.checkRows(folder.PassParse, s.Name, columns, func(rec arrow.Record, bad reportRow) error {
			return graphs.checkBatch(rec, &found, bad)
		})
		if err != nil {
			return err
		}
		c.compareStats(e, found, "objects", "relations", "empty_graphs", "doubtful_graphs")
		return nil
	})
}

// graphCheck checks the graphs of one source file. It reuses its memory for each row.
type graphCheck struct {
	source string
	graph  schemas.SceneGraph
	tokens []schemas.Token
}

func (g *graphCheck) checkBatch(rec arrow.Record, found *rowStats, bad reportRow) error {
	columns, err := schemas.Strings(rec, schemas.ColKey, schemas.ColText, schemas.ColSource, schemas.ColParser)
	if err != nil {
		return err
	}
	keys, texts, sources, parsers := columns[0], columns[1], columns[2], columns[3]
	rows, err := schemas.Column[*array.Int64](rec, schemas.ColSourceRow)
	if err != nil {
		return err
	}
	confidence, err := schemas.Column[*array.Float32](rec, schemas.ColConfidence)
	if err != nil {
		return err
	}
	tokens, err := schemas.NewTokensView(rec)
	if err != nil {
		return err
	}
	graphs, err := schemas.NewGraphView(rec)
	if err != nil {
		return err
	}
	for i := range keys.Len() {
		tell := func(what string, args ...any) { bad(keys.Value(i), what, args...) }
		if source := sources.Value(i); source != g.source {
			tell("its source is %q, and its shard is of %q", source, g.source)
		}
		if row := rows.Value(i); row < 0 {
			tell("its source_row is %d", row)
		}
		if parsers.Value(i) == "" {
			tell("its parser is empty")
		}
		if sure := confidence.Value(i); !(sure >= 0 && sure <= 1) {
			tell("its confidence is %v, not 0 to 1", sure)
		}
		g.tokens = tokens.At(i, g.tokens)
		graphs.WholeAt(i, &g.graph)
		g.checkOffsets(texts.Value(i), tell)
		found.rows++
		found.add("objects", len(g.graph.Objects))
		found.add("relations", len(g.graph.Relations))
		switch {
		case len(g.graph.Objects) == 0:
			found.add("empty_graphs", 1)
		case confidence.Value(i) < schemas.Doubtful:
			found.add("doubtful_graphs", 1)
		}
	}
	return nil
}

// checkOffsets reports tokens and objects whose offsets do not match the text.
func (g *graphCheck) checkOffsets(text string, bad func(what string, args ...any)) {
	length := int32(len(text))
	for _, t := range g.tokens {
		if t.Begin < 0 || t.End > length || t.Begin > t.End {
			bad("a token is bytes %d to %d of a text of %d", t.Begin, t.End, length)
		}
	}
	whole := true
	for fault := range g.graph.Faults(text) {
		bad("%s", fault)
		whole = false
	}
	if !whole {
		return
	}
	for _, o := range g.graph.Objects {
		if o.Begin != schemas.NoOffset && !equalsName(text[o.Begin:o.End], o.Name) {
			bad("the object %s is where the text says %q", o.Name, text[o.Begin:o.End])
		}
	}
}

// equalsName reports whether a piece of text equals a name, ignoring case and white space:
// "Dining\n  Table" equals "dining table".
func equalsName(piece, name string) bool {
	// EqualFold alone does not match "İ" with "i", its lower case.
	same := func(a string) bool { return strings.EqualFold(a, name) || strings.ToLower(a) == name }
	return same(piece) || same(strings.Join(strings.Fields(piece), " "))
}
