package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	evalgraphs "capgraph/eval/graphs"
	"capgraph/folder"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
)

type evalGraphs struct {
	Gold        string   `help:"Gold graphs: FACTUAL's CSV (columns caption and scene_graph), DiscoSG's JSON, DiscourseFOIL's JSON, or annotated graphs as JSON lines." type:"existingfile" placeholder:"FILE"`
	Split       string   `help:"Rows of annotated graphs: dev (kept for development), train, or all." enum:"all,dev,train" default:"all"`
	Parser      string   `help:"rules: a linear model; auto: an encoder too, where that is unsure; encoder: always (docs/parser.md)." enum:"rules,auto,encoder" default:"auto"`
	Without     []string `help:"Rules of the rule parser to leave out, to measure what they contribute (docs/parser.md)." placeholder:"RULE"`
	Errors      bool     `help:"List the captions whose graphs differ, by kind of difference."`
	Calibration bool     `help:"Compare confidence with correctness, for annotated graphs."`
	Compare     bool     `help:"Show where the graphs of two parsers differ: of the runs DIR_A and DIR_B or, with annotated graphs as --gold, of the files A and B."`
	Of          []string `arg:"" optional:"" name:"of" help:"Two output folders, for --compare. With annotated graphs as --gold: files of graphs in the form of parse --format json, to measure instead of the rule parser."`
	Examples    int      `help:"Examples of each kind of difference between two parsers; 0: all." default:"5"`
}

// Validate refuses invalid flags.
func (c *evalGraphs) Validate() error {
	switch gold, n := c.Gold != "", len(c.Of); {
	case c.Examples < 0:
		return fmt.Errorf("--examples=%d: want 0 or more", c.Examples)
	case c.Compare && n != 2, !c.Compare && (!gold || n > 1):
		return errors.New("want --gold FILE, --gold FILE GRAPHS, --gold FILE --compare A B, or --compare DIR_A DIR_B")
	case len(c.Without) > 0 && n > 0:
		return errors.New("--without turns off rules of the rule parser, and cannot be used with graphs of other parsers")
	case c.Compare && (c.Errors || c.Calibration):
		return errors.New("--compare cannot be combined with --errors or --calibration")
	}
	return nil
}

// Run implements eval graphs.
func (c *evalGraphs) Run(std streams) error {
	w := inspect.NewPrinter(std.out)
	if c.Gold == "" {
		for _, dir := range c.Of {
			dir = runFolder(dir, folder.PassParse)
			std.warnIfIncomplete(dir, folder.PassParse)
			std.warnAboutForeign(dir, folder.PassParse)
		}
		found, err := evalgraphs.Compare(c.Of[0], c.Of[1], c.Examples)
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		return cmp.Or(found.Write(w), w.Err())
	}
	p, err := ruleparse.NewReader(c.Parser)
	if err != nil {
		return err
	}
	if err := p.LeaveOut(c.Without...); err != nil {
		return usage.Errorf("--without: %v", err)
	}
	file, err := sources.OpenText(std.files, c.Gold)
	if err != nil {
		return err
	}
	defer file.Close()
	gold := evalgraphs.NewGoldReader(file)
	if evalgraphs.IsAnnotated(gold) {
		return c.measureAnnotated(w, p, gold)
	}
	if c.Split != "all" || c.Compare || c.Calibration || len(c.Of) > 0 {
		return usage.Errorf("%s is not annotated graphs as JSON lines, which --split, --calibration, --compare and graphs of other parsers need", c.Gold)
	}
	if evalgraphs.IsFoils(gold) {
		return c.measureFoils(w, p, gold)
	}
	return c.measureFactual(std, w, p, gold)
}

// measureFactual measures against graphs in FACTUAL's form.
func (c *evalGraphs) measureFactual(std streams, w *inspect.Printer, p *ruleparse.Parser, gold io.Reader) error {
	score, err := evalgraphs.NewScore()
	if err != nil {
		return err
	}
	misses := evalgraphs.NewMisses(0)
	skipped := func(row int, err error) { fmt.Fprintf(std.err, "%s: row %d left out: %v\n", c.Gold, row, err) }
	err = inBatches(evalgraphs.ReadGold(gold, c.Gold, skipped), func(rows []evalgraphs.Gold) error {
		texts := make([]string, len(rows))
		for i := range rows {
			texts[i] = rows[i].Caption
		}
		parsed := make([]schemas.Parsed, len(rows))
		if err := p.Parse(context.Background(), texts, parsed); err != nil {
			return err
		}
		for i, g := range rows {
			missing, extra := score.Add(len(strings.Fields(g.Caption)), p.Triples(&parsed[i]), g.Triples)
			misses.Add(evalgraphs.Miss{Caption: g.Caption, Missing: missing, Extra: extra})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("eval graphs: %w", err)
	}
	if score.All.Captions == 0 {
		return fmt.Errorf("eval graphs: %s: no row below the header has a graph that can be read (want FACTUAL's rows: a caption and its scene_graph)", c.Gold)
	}
	if err := score.WriteTable(w); err != nil || !c.Errors {
		return err
	}
	return cmp.Or(misses.Write(w, "gold", "parser"), w.Err())
}

// inBatches calls do with the rows, up to parseBatch of them at a time.
func inBatches[T any](rows iter.Seq2[T, error], do func([]T) error) error {
	var batch []T
	for row, err := range rows {
		if err != nil {
			return err
		}
		if batch = append(batch, row); len(batch) == parseBatch {
			if err := do(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return do(batch)
}

func (c *evalGraphs) stopError() error { return errEvalStopped }
