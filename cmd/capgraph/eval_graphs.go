package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	evalgraphs "capgraph/eval/graphs"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

type evalGraphs struct {
	Gold     string   `help:"FACTUAL's CSV to measure the rule parser against: columns caption and scene_graph." type:"existingfile" placeholder:"FILE"`
	Errors   bool     `help:"List the captions whose graph differs, by kind."`
	Compare  bool     `help:"Say where the graphs of two runs, DIR_A and DIR_B, differ."`
	Dirs     []string `arg:"" optional:"" name:"dir" help:"The folders of the two runs, for --compare."`
	Examples int      `help:"Examples of each kind of difference between two runs; 0 is all." default:"5"`
}

// Validate refuses what can't be meant.
func (c *evalGraphs) Validate() error {
	two, gold := len(c.Dirs) == 2, c.Gold != ""
	switch {
	case c.Examples < 0:
		return fmt.Errorf("--examples=%d: want 0 or more", c.Examples)
	case c.Compare && (!two || gold), !c.Compare && (len(c.Dirs) > 0 || !gold):
		return errors.New("want --gold FILE, or --compare DIR_A DIR_B")
	}
	return nil
}

// Run implements eval graphs.
func (c *evalGraphs) Run(std streams) error {
	w := inspect.NewPrinter(std.out)
	if c.Compare {
		for _, dir := range c.Dirs {
			dir = runOf(dir, folder.PassParse)
			std.warnUnlessWhole(dir, folder.PassParse)
			std.warnOfForeign(dir, folder.PassParse)
		}
		found, err := evalgraphs.Compare(c.Dirs[0], c.Dirs[1], c.Examples)
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		return cmp.Or(found.Write(w), w.Err())
	}
	p, err := ruleparse.New()
	if err != nil {
		return err
	}
	score := evalgraphs.NewScore()
	misses := evalgraphs.NewMisses(0)
	var parsed schemas.Parsed
	gold, err := sources.OpenText(store.Local{}, c.Gold)
	if err != nil {
		return err
	}
	defer gold.Close()
	skipped := func(row int, err error) { fmt.Fprintf(std.err, "%s: row %d left out: %v\n", c.Gold, row, err) }
	for g, err := range evalgraphs.ReadGold(gold, c.Gold, skipped) {
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		p.ParseText(g.Caption, &parsed)
		missing, extra := score.Add(len(strings.Fields(g.Caption)), p.Triples(&parsed.Graph), g.Triples)
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
