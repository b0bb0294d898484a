package sources

import (
	"errors"
	"io"
	"iter"

	"capgraph/schemas"
)

// parserFactual is the value of Row.Parser for graphs in FACTUAL's CSV.
const parserFactual = "factual/csv"

// openGraphs reads graphs that another parser made: FACTUAL's CSV, or Parquet files of capgraph's
// graphs/. The content decides which.
func openGraphs(in *input) (rowReader, error) {
	f, err := in.openFile()
	if err != nil {
		return nil, err
	}
	var head [4]byte
	n, err := f.ReadAt(head[:], 0)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(head[:n]) == "PAR1" {
		return openGraphParquet(in)
	}
	return openGraphCSV(in)
}

// setGraph sets the graph of row. It rejects the row if the graph is invalid.
func (row *Row) setGraph(g *schemas.SceneGraph) {
	for fault := range g.Faults(row.Text) {
		if row.Reject == "" {
			row.reject(RejectMalformedGraph, "%s", fault)
		}
	}
	if row.Reject == "" && !(row.Confidence >= 0 && row.Confidence <= 1) { // NaN is neither
		row.reject(RejectMalformedGraph, "confidence is %v, not in 0 to 1", row.Confidence)
	}
	if row.Reject == "" && row.Parser == "" { // without a parser, the row would be taken for one without a graph
		row.reject(RejectMalformedGraph, "parser is empty: it says what made the graph")
	}
	row.Graph = g
}

// graphTexts yields all texts in a graph.
func graphTexts(g *schemas.SceneGraph) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, o := range g.Objects {
			if !yield(o.Name) || !yield(o.Head) || !yield(o.Quantity) {
				return
			}
			for _, a := range o.Attributes {
				if !yield(a.Text) {
					return
				}
			}
		}
		for _, r := range g.Relations {
			if !yield(r.Predicate) || !yield(r.Lemma) {
				return
			}
		}
	}
}
