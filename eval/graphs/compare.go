package graphs

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"capgraph/internal/text"
	"capgraph/schemas"
)

// Comparison sums up how the graphs of two parsers differ.
type Comparison struct {
	Score  *Score  // A's graphs beside B's, as if B's were gold
	Misses *Misses // Missing is what only B has, Extra what only A has
	OnlyA  int     // captions that B does not have
	OnlyB  int
}

// Compare compares the graphs of two runs, row by row by their keys. It keeps at most most examples
// of each kind of difference, or all if most is 0. A run is named by its folder or by that of its
// graphs. Graphs are compared as they are: by the lemmas of predicates, without conventions. If
// both runs have shards of the same names, one shard of A is held at a time, else all are.
func Compare(runA, runB string, most int) (*Comparison, error) {
	a, err := listShards(runA)
	if err != nil {
		return nil, err
	}
	b, err := listShards(runB)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Score: NewScore(), Misses: NewMisses(most)}
	if !slices.EqualFunc(a, b, func(x, y string) bool { return filepath.Base(x) == filepath.Base(y) }) {
		return c, c.compareShards(a, b)
	}
	for i := range a {
		if err := c.compareShards(a[i:i+1], b[i:i+1]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// compareShards compares shards of A with those of B that hold the same rows.
func (c *Comparison) compareShards(a, b []string) error {
	rows := map[string]graphRow{}
	for row, err := range readGraphs(a) {
		if err != nil {
			return err
		}
		rows[row.key] = row
	}
	for row, err := range readGraphs(b) {
		if err != nil {
			return err
		}
		other, ok := rows[row.key]
		if !ok {
			c.OnlyB++
			continue
		}
		delete(rows, row.key)
		missing, extra := c.Score.Add(row.words, other.triples, row.triples)
		c.Misses.Add(Miss{row.text, missing, extra})
	}
	c.OnlyA += len(rows)
	return nil
}

// Write writes the comparison for people to read.
func (c *Comparison) Write(w io.Writer) error {
	if c.OnlyA+c.OnlyB > 0 {
		fmt.Fprintf(w, "only in A: %d %s, only in B: %d\n", c.OnlyA, text.Plural(c.OnlyA, "caption", "captions"), c.OnlyB)
	}
	fmt.Fprintln(w, "A beside B: set match is equal graphs, precision what of A is in B, recall what of B is in A")
	if err := c.Score.WriteTable(w); err != nil {
		return err
	}
	return c.Misses.Write(w, "only B", "only A")
}

// triplesOf returns a graph as tuples: names, attributes, quantities, lemmas.
func triplesOf(g *schemas.SceneGraph) []Triple {
	var ts []Triple
	for _, o := range g.Objects {
		ts = append(ts, Triple{Subject: o.Name})
		for _, a := range o.Attributes {
			ts = append(ts, Triple{Subject: o.Name, Predicate: "is", Object: a.Text})
		}
		if o.Quantity != "" {
			ts = append(ts, Triple{Subject: o.Name, Predicate: "is", Object: o.Quantity})
		}
	}
	for _, r := range g.Relations {
		ts = append(ts, Triple{Subject: g.Objects[r.Subject].Name, Predicate: r.Lemma, Object: g.Objects[r.Object].Name})
	}
	return ts
}
