package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"

	evalgraphs "capgraph/eval/graphs"
	"capgraph/internal/annotated"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// measureAnnotated compares parsed graphs with annotated graphs, and prints scores, differences or
// both parsers' results.
func (c *evalGraphs) measureAnnotated(w *inspect.Printer, p *ruleparse.Parser, gold io.Reader) error {
	parsers := []func(texts []string) ([]annotated.Row, error){func(texts []string) ([]annotated.Row, error) { return annotatedRows(p, texts) }}
	for i, file := range c.Of {
		graphs, err := graphsByText(file)
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		of := func(texts []string) (rows []annotated.Row, err error) {
			for _, text := range texts {
				row, ok := graphs[text]
				if !ok {
					return nil, fmt.Errorf("%s: it has no graph of %q: it needs one for each caption of %s", file, text, c.Gold)
				}
				rows = append(rows, row)
			}
			return rows, nil
		}
		parsers = append(parsers[:i], of)
	}
	score, misses := evalgraphs.NewAnnotatedScore(), evalgraphs.NewMisses(0)
	comparison := evalgraphs.NewAnnotatedComparison(c.Examples)
	n := 0
	err := inBatches(c.filterSplit(annotated.Read(gold, c.Gold)), func(batch []annotated.Row) (err error) {
		n += len(batch)
		texts := make([]string, len(batch))
		for i := range batch {
			texts[i] = batch[i].Text
		}
		rows := make([][]annotated.Row, len(parsers))
		for i, parse := range parsers {
			if rows[i], err = parse(texts); err != nil {
				return err
			}
		}
		for i := range batch {
			g := &batch[i]
			if c.Compare {
				comparison.Add(&rows[0][i], &rows[1][i], g)
				continue
			}
			missing, extra := score.Add(&rows[0][i], g)
			misses.Add(evalgraphs.Miss{Caption: g.Text, Missing: missing, Extra: extra})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("eval graphs: %w", err)
	}
	if n == 0 {
		return fmt.Errorf("eval graphs: %s: no row of part %s", c.Gold, c.Split)
	}
	fmt.Fprintf(w, "part %s of %s\n\n", c.Split, c.Gold)
	if c.Compare {
		return cmp.Or(comparison.Write(w), w.Err())
	}
	if err := score.WriteTable(w); err != nil {
		return err
	}
	if c.Calibration {
		fmt.Fprintln(w)
		if err := score.Calibration.WriteTable(w); err != nil {
			return err
		}
	}
	if c.Errors {
		return cmp.Or(misses.Write(w, "gold", "parser"), w.Err())
	}
	return w.Err()
}

// filterSplit returns the rows of the split that --split names.
func (c *evalGraphs) filterSplit(rows iter.Seq2[annotated.Row, error]) iter.Seq2[annotated.Row, error] {
	return func(yield func(annotated.Row, error) bool) {
		for g, err := range rows {
			if err == nil && c.Split != "all" && annotated.IsDevelopment(g.Text) != (c.Split == "dev") {
				continue
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// annotatedRows parses texts into rows. Objects that a text denies are left out, since annotated
// graphs do not have them.
func annotatedRows(p *ruleparse.Parser, texts []string) ([]annotated.Row, error) {
	parsed := make([]schemas.Parsed, len(texts))
	if err := p.Parse(context.Background(), texts, parsed); err != nil {
		return nil, err
	}
	rows := make([]annotated.Row, len(texts))
	for i := range parsed {
		parsed[i].Graph.RemoveDenied()
		rows[i] = annotated.FromParsed(texts[i], &parsed[i])
	}
	return rows, nil
}

// graphsByText reads graphs in the form of parse --format json, by caption.
func graphsByText(name string) (map[string]annotated.Row, error) {
	file, err := sources.OpenText(store.Local{}, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	graphs := map[string]annotated.Row{}
	for row, err := range annotated.Read(file, name) {
		if err != nil {
			return nil, err
		}
		graphs[row.Text] = row
	}
	return graphs, nil
}
