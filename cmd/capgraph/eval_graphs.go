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
	"capgraph/internal/annotated"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
)

type evalGraphs struct {
	Gold     string   `help:"The graphs to measure the rule parser against: FACTUAL's CSV (columns caption and scene_graph), DiscoSG's JSON, or annotated graphs, a JSON object a line." type:"existingfile" placeholder:"FILE"`
	Part     string   `help:"Which rows of annotated graphs: those kept for development, those to train on, or all." enum:"all,dev,train" default:"all"`
	Without  []string `help:"Rules of the rule parser to leave out, to measure what they are worth (docs/parser.md)." placeholder:"RULE"`
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
	if c.Part != "all" {
		return usage.Errorf("--part=%s: %s is not annotated graphs, a JSON object a line, of which alone a part is kept for development", c.Part, c.Gold)
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

// annotated measures against graphs in the words of their captions.
func (c *evalGraphs) annotated(w *inspect.Printer, p *ruleparse.Parser, gold io.Reader) error {
	score := evalgraphs.NewAnnotatedScore()
	misses := evalgraphs.NewMisses(0)
	var parsed schemas.Parsed
	for g, err := range annotated.Read(gold, c.Gold) {
		if err != nil {
			return fmt.Errorf("eval graphs: %w", err)
		}
		if c.Part != "all" && annotated.Development(g.Text) != (c.Part == "dev") {
			continue
		}
		p.ParseText(g.Text, &parsed)
		got := evalgraphs.RowOf(g.Text, &parsed)
		missing, extra := score.Add(&got, &g)
		misses.Add(evalgraphs.Miss{Caption: g.Text, Missing: missing, Extra: extra})
	}
	if score.All.Captions == 0 {
		return fmt.Errorf("eval graphs: %s: no row of part %s", c.Gold, c.Part)
	}
	fmt.Fprintf(w, "part %s of %s\n\n", c.Part, c.Gold)
	if err := score.WriteTable(w); err != nil || !c.Errors {
		return err
	}
	return cmp.Or(misses.Write(w, "gold", "parser"), w.Err())
}

func (c *evalGraphs) stopped() error { return errEvalStopped }
