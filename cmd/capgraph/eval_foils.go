package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"capgraph/clean"
	evalgraphs "capgraph/eval/graphs"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// measureFoils measures how often graphs tell a right caption from one with a hallucination. Texts are cleaned
// as in a run; a text that cleaning rejects is used unchanged.
func (c *evalGraphs) measureFoils(w *inspect.Printer, p *ruleparse.Parser, file io.Reader) error {
	score, err := evalgraphs.NewFoilScore()
	if err != nil {
		return err
	}
	cleaner, err := clean.New(clean.Defaults())
	if err != nil {
		return err
	}
	var wrong []string
	row := 0
	err = inBatches(evalgraphs.ReadFoils(file, c.Gold), func(rows []evalgraphs.Foil) error {
		var texts []string
		for _, f := range rows {
			for _, text := range []string{f.Reference, f.Foiled, f.Right} {
				cleaned, _ := cleaner.Clean(text)
				texts = append(texts, cmp.Or(cleaned, text))
			}
		}
		parsed := make([]schemas.Parsed, len(texts))
		if err := p.Parse(context.Background(), texts, parsed); err != nil {
			return err
		}
		for i, f := range rows {
			row++
			if !f.Fixed {
				score.Unfixed++
				continue
			}
			right, foiled := score.Add(p.Triples(&parsed[3*i]), p.Triples(&parsed[3*i+1]), p.Triples(&parsed[3*i+2]))
			if right <= foiled {
				wrong = append(wrong, fmt.Sprintf("row %d: SPICE %.1f of the right caption, %.1f of the foiled one: %s", row, 100*right, 100*foiled, f.Hallucination))
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("eval graphs: %w", err)
	}
	if score.Pairs == 0 {
		return fmt.Errorf("eval graphs: %s: no row has \"fixed\": \"true\", a right caption beside the foiled one (want DiscourseFOIL-200.json)", c.Gold)
	}
	if err := score.WriteTable(w); err != nil || !c.Errors {
		return err
	}
	fmt.Fprintf(w, "\nnot told from the right caption: %d\n", len(wrong))
	for _, line := range wrong {
		fmt.Fprintf(w, "  %s\n", line)
	}
	return w.Err()
}
