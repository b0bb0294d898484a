package graphs

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// Comparison sums up how the graphs of two parsers differ.
type Comparison struct {
	Score  *Score  // compares A's graphs with B's as the gold
	Misses *Misses // Missing has the tuples of B alone, Extra of A alone
	OnlyA  int     // captions that B does not have
	OnlyB  int
}

// Compare compares the graphs of two runs, row by row by their keys. It keeps at most most examples
// of each kind of difference, or all if most is 0. A run is named by its folder or by its folder graphs/. Graphs are compared as they are: by the lemmas of predicates, without conventions. If
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
	score, err := NewScore()
	if err != nil {
		return nil, err
	}
	c := &Comparison{Score: score, Misses: NewMisses(most)}
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

// compareShards compares shards of A with shards of B that hold the same rows.
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

// graphRow is a row of graphs/.
type graphRow struct {
	key, text string
	words     int
	triples   []Triple
}

// listShards lists the Parquet files of graphs/ of a run in the order of their names. The run is
// named by its folder or by graphs/ itself.
func listShards(run string) ([]string, error) {
	for _, dir := range []string{filepath.Join(run, "graphs"), run} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		var files []string
		for _, e := range entries {
			if filepath.Ext(e.Name()) == ".parquet" && e.Name()[0] != '.' {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
		if len(files) > 0 {
			return files, nil
		}
	}
	if _, err := os.Stat(run); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: no .parquet file of graphs: name the folder of a run whose pass parse is done", run)
}

// readGraphs reads shards one after the other. It ends at the first error, which names the file.
func readGraphs(files []string) iter.Seq2[graphRow, error] {
	return func(yield func(graphRow, error) bool) {
		for _, f := range files {
			more, err := readShard(f, yield)
			if err != nil {
				yield(graphRow{}, fmt.Errorf("%s: %w", f, err))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// readShard yields the rows of a shard. It returns false if yield did.
func readShard(path string, yield func(graphRow, error) bool) (more bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	r, err := parquetio.NewReader(f, info.Size(), parquetio.ReaderOptions{Columns: []string{schemas.ColKey, schemas.ColText, schemas.ColGraph}})
	if err != nil {
		return false, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		more, err := readBatch(rec, yield)
		rec.Release()
		if err != nil || !more {
			return false, err
		}
	}
}

// readBatch yields the rows of a batch. It returns false if yield did.
func readBatch(rec arrow.Record, yield func(graphRow, error) bool) (more bool, err error) {
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil {
		return false, err
	}
	texts, err := schemas.Column[*array.String](rec, schemas.ColText)
	if err != nil {
		return false, err
	}
	graphs, err := schemas.NewGraphView(rec)
	if err != nil {
		return false, err
	}
	var g schemas.SceneGraph
	for i := range int(rec.NumRows()) {
		graphs.At(i, &g)
		text := strings.Clone(texts.Value(i))
		row := graphRow{strings.Clone(keys.Value(i)), text, len(strings.Fields(text)), triplesOf(&g)}
		for k, t := range row.triples {
			row.triples[k] = Triple{Subject: strings.Clone(t.Subject), Predicate: strings.Clone(t.Predicate), Object: strings.Clone(t.Object)}
		}
		if !yield(row, nil) {
			return false, nil
		}
	}
	return true, nil
}
