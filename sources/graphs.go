package sources

import (
	"errors"
	"io"
	"iter"
	"unicode/utf8"

	"capgraph/schemas"
)

// parserFactual is what Row.Parser says of graphs that came as FACTUAL's CSV.
const parserFactual = "factual/csv"

// openGraphs reads graphs that were parsed elsewhere: FACTUAL's CSV, or the
// Parquet of capgraph's own graphs/, which of them its content says.
func openGraphs(in *input) (rows, error) {
	f, err := in.open()
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

// take gives row its graph, and rejects one that no stage could use.
func (row *Row) take(g *schemas.SceneGraph) {
	malformed := func(format string, args ...any) {
		if row.Reject == "" {
			row.reject(RejectMalformedGraph, format, args...)
		}
	}
	for fault := range g.Faults(len(row.Text)) {
		malformed("%s", fault)
	}
	for of, at := range offsetsOf(g) {
		if 0 < at && int(at) < len(row.Text) && !utf8.RuneStart(row.Text[at]) {
			malformed("%s: byte %d of the text is within a character", of, at)
		}
	}
	if !(row.Confidence >= 0 && row.Confidence <= 1) { // NaN is neither
		malformed("confidence is %v, not in 0 to 1", row.Confidence)
	}
	row.Graph = g
}

// offsetsOf are the begins and ends in a graph, and of what they are.
func offsetsOf(g *schemas.SceneGraph) iter.Seq2[string, int32] {
	return func(yield func(string, int32) bool) {
		for _, o := range g.Objects {
			if !yield(o.Name, o.Begin) || !yield(o.Name, o.End) {
				return
			}
			for _, a := range o.Attributes {
				if !yield(a.Text, a.Begin) || !yield(a.Text, a.End) {
					return
				}
			}
		}
		for _, r := range g.Relations {
			if !yield(r.Predicate, r.Begin) || !yield(r.Predicate, r.End) {
				return
			}
		}
	}
}

// textsOf are the texts of a graph.
func textsOf(g *schemas.SceneGraph) iter.Seq[string] {
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
