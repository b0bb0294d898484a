package main

import (
	"cmp"
	"fmt"
	"io"

	evalgraphs "capgraph/eval/graphs"
	"capgraph/internal/annotated"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// measureAnnotated measures against annotated graphs.
func (c *evalGraphs) measureAnnotated(w *inspect.Printer, p *ruleparse.Parser, gold io.Reader) error {
	parsers := []func(text string) (annotated.Row, error){func(text string) (annotated.Row, error) {
		var parsed schemas.Parsed
		p.ParseText(text, &parsed)
		parsed.Graph.RemoveDenied() // as in annotated graphs
		return annotated.FromParsed(text, &parsed), nil
	}}
	for i, file := range c.Of {
		graphs, err := graphsByText(file)
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		of := func(text string) (annotated.Row, error) {
			row, ok := graphs[text]
			if !ok {
				return row, fmt.Errorf("%s: it has no graph of %q: it needs one for each caption of %s", file, text, c.Gold)
			}
			return row, nil
		}
		parsers = append(parsers[:i], of)
	}
	score, misses := evalgraphs.NewAnnotatedScore(), evalgraphs.NewMisses(0)
	comparison := evalgraphs.NewAnnotatedComparison(c.Examples)
	n := 0
	for g, err := range annotated.Read(gold, c.Gold) {
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		if c.Split != "all" && annotated.IsDevelopment(g.Text) != (c.Split == "dev") {
			continue
		}
		n++
		rows := make([]annotated.Row, len(parsers))
		for i, parse := range parsers {
			if rows[i], err = parse(g.Text); err != nil {
				return fmt.Errorf("eval graphs: %w", err)
			}
		}
		if c.Compare {
			comparison.Add(&rows[0], &rows[1], &g)
			continue
		}
		missing, extra := score.Add(&rows[0], &g)
		misses.Add(evalgraphs.Miss{Caption: g.Text, Missing: missing, Extra: extra})
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
