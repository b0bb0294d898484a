package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
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
	Gold        string   `help:"The graphs to measure against: FACTUAL's CSV (columns caption and scene_graph), DiscoSG's JSON, or annotated graphs, a JSON object a line." type:"existingfile" placeholder:"FILE"`
	Part        string   `help:"Which rows of annotated graphs: those kept for development, those to train on, or all." enum:"all,dev,train" default:"all"`
	Without     []string `help:"Rules of the rule parser to leave out, to measure what they are worth (docs/parser.md)." placeholder:"RULE"`
	Errors      bool     `help:"List the captions whose graph differs, by kind."`
	Calibration bool     `help:"Set confidence beside how right the graphs are, with annotated graphs."`
	Compare     bool     `help:"Say where two parsers' graphs differ: those of the runs DIR_A and DIR_B, or, with annotated graphs as --gold, those of the files A and B."`
	Of          []string `arg:"" optional:"" name:"of" help:"The folders of two runs, for --compare; with annotated graphs as --gold, files of graphs to measure in place of the rule parser's, as parse --format json writes them."`
	Examples    int      `help:"Examples of each kind of difference between two parsers; 0 is all." default:"5"`
}

// Validate refuses what can't be meant.
func (c *evalGraphs) Validate() error {
	switch gold, n := c.Gold != "", len(c.Of); {
	case c.Examples < 0:
		return fmt.Errorf("--examples=%d: want 0 or more", c.Examples)
	case c.Compare && n != 2, !c.Compare && (!gold || n > 1):
		return errors.New("want --gold FILE, --gold FILE GRAPHS, --gold FILE --compare A B, or --compare DIR_A DIR_B")
	case len(c.Without) > 0 && n > 0:
		return errors.New("--without: the rules are the rule parser's, and graphs of others are measured")
	case c.Compare && (c.Errors || c.Calibration):
		return errors.New("--compare lists differences between two parsers: without --errors and --calibration")
	}
	return nil
}

// Run implements eval graphs.
func (c *evalGraphs) Run(std streams) error {
	w := inspect.NewPrinter(std.out)
	if c.Gold == "" {
		for _, dir := range c.Of {
			dir = runOf(dir, folder.PassParse)
			std.warnUnlessWhole(dir, folder.PassParse)
			std.warnOfForeign(dir, folder.PassParse)
		}
		found, err := evalgraphs.Compare(c.Of[0], c.Of[1], c.Examples)
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		return cmp.Or(found.Write(w), w.Err())
	}
	p, err := ruleparse.New()
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
	gold := bufio.NewReader(file)
	if evalgraphs.IsAnnotated(gold) {
		return c.annotated(w, p, gold)
	}
	if c.Part != "all" || c.Compare || c.Calibration || len(c.Of) > 0 {
		return usage.Errorf("%s is not annotated graphs, a JSON object a line: --part, --calibration and graphs of others go with these alone", c.Gold)
	}
	return c.factual(std, w, p, gold)
}

// factual measures against graphs in FACTUAL's form.
func (c *evalGraphs) factual(std streams, w *inspect.Printer, p *ruleparse.Parser, gold io.Reader) error {
	score := evalgraphs.NewScore()
	misses := evalgraphs.NewMisses(0)
	var parsed schemas.Parsed
	skipped := func(row int, err error) { fmt.Fprintf(std.err, "%s: row %d left out: %v\n", c.Gold, row, err) }
	for g, err := range evalgraphs.ReadGold(gold, c.Gold, skipped) {
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		p.ParseText(g.Caption, &parsed)
		missing, extra := score.Add(len(strings.Fields(g.Caption)), p.Triples(&parsed), g.Triples)
		misses.Add(evalgraphs.Miss{Caption: g.Caption, Missing: missing, Extra: extra})
	}
	if score.All.Captions == 0 {
		return fmt.Errorf("eval graphs: %s: no row below the header has a graph that can be read (want FACTUAL's rows: a caption and its scene_graph)", c.Gold)
	}
	if err := score.WriteTable(w); err != nil || !c.Errors {
		return err
	}
	return cmp.Or(misses.Write(w, "gold", "parser"), w.Err())
}

func (c *evalGraphs) stopped() error { return errEvalStopped }
