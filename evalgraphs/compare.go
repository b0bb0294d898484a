package evalgraphs

import (
	"fmt"
	"io"

	"capgraph/schemas"
)

// Comparison sums up where the graphs of two parsers differ.
type Comparison struct {
	Score  *Score // A's graphs beside B's, as if B's were gold
	Misses Misses // Missing is what only B has, Extra what only A has
	OnlyA  int    // captions that B does not have
	OnlyB  int
}

// Compare compares the graphs of two folders of graphs/, row by row by their
// keys. Folders are compared as they are told: the lemmas of predicates, no
// conventions.
func Compare(dirA, dirB string) (*Comparison, error) {
	a := map[string]labelled{}
	for row, err := range readGraphs(dirA) {
		if err != nil {
			return nil, err
		}
		a[row.key] = row
	}
	c := &Comparison{Score: NewScore()}
	both := 0
	for row, err := range readGraphs(dirB) {
		if err != nil {
			return nil, err
		}
		other, ok := a[row.key]
		if !ok {
			c.OnlyB++
			continue
		}
		both++
		missing, extra := c.Score.Add(row.words, other.triples, row.triples)
		c.Misses.Add(Miss{row.text, missing, extra})
	}
	c.OnlyA = len(a) - both
	return c, nil
}

// Write writes the comparison for people to read, with at most most examples of
// each kind of difference (all where most is 0).
func (c *Comparison) Write(w io.Writer, most int) error {
	if c.OnlyA+c.OnlyB > 0 {
		fmt.Fprintf(w, "only in A: %d captions, only in B: %d\n", c.OnlyA, c.OnlyB)
	}
	fmt.Fprintln(w, "A beside B: set match is equal graphs, precision what of A is in B, recall what of B is in A")
	if err := c.Score.WriteTable(w); err != nil {
		return err
	}
	return c.Misses.Write(w, most, "only B", "only A")
}

// triplesOf is a graph as tuples: names, attributes, quantities, lemmas.
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
