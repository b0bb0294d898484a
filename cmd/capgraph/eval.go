package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	evalnegatives "capgraph/eval/negatives"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/scenegraph"
	"capgraph/sources"
	"capgraph/store"
)

// evalCommand measures what capgraph, or another tool, wrote.
type evalCommand struct {
	Graphs     evalGraphs     `cmd:"" help:"Measure the rule parser against gold graphs, or compare the graphs of two runs."`
	Negatives  evalNegatives  `cmd:"" help:"Measure hard negatives: flaws, text-only accuracy, false negatives."`
	Clip       evalClip       `cmd:"" help:"Measure a trained model on the benchmarks of the papers."`
	HalfTruths evalHalfTruths `cmd:"" name:"halftruths" help:"Write a benchmark of half-truths from the texts of a run, for eval clip."`
}

type evalNegatives struct {
	Path     string `arg:"" help:"A run or its texts/, or negatives of another tool, as audit reads them: a file or a folder."`
	Captions string `help:"Measure only rows whose caption is a line of this file." type:"existingfile" placeholder:"FILE"`
	Siblings string `help:"Further captions of the images, which the generator did not see (COCO's or Karpathy's JSON), to estimate false negatives." type:"existingfile" placeholder:"FILE"`
	MaxPairs int    `help:"Largest number of pairs for the text-only classifier." default:"200000"`
	Judged   string `help:"Pairs with a reader's verdict (JSON lines): report which of them the filters keep, with the vocabulary of the run." type:"existingfile" placeholder:"FILE"`
	Source   string `help:"With --judged: only pairs of this source." placeholder:"NAME"`
	Split    string `help:"With --judged: only pairs of this split: fit, cut or test." enum:",fit,cut,test" default:""`
	JSON     bool   `help:"Write JSON instead of a table." name:"json"`
}

// Help returns the text below the usage.
func (evalNegatives) Help() string {
	return "Columns of the table, in % of the negatives:\n\n  " + strings.ReplaceAll(strings.TrimSuffix(evalnegatives.Legend, "\n"), "\n", "\n  ")
}

// Validate refuses invalid flags.
func (c *evalNegatives) Validate() error {
	switch {
	case c.MaxPairs < 1:
		return fmt.Errorf("--max-pairs=%d: want 1 or more", c.MaxPairs)
	case c.Judged == "" && c.Source+c.Split != "":
		return errors.New("--source and --split need --judged")
	case c.Judged != "" && c.Captions+c.Siblings != "":
		return errors.New("--judged cannot be combined with --captions or --siblings")
	}
	return nil
}

// Run implements eval negatives.
func (c *evalNegatives) Run(ctx context.Context, std streams) error {
	if c.Judged != "" {
		return c.measureJudged(ctx, std)
	}
	opt := evalnegatives.Options{Pairs: c.MaxPairs}
	var err error
	if c.Captions != "" {
		if opt.Captions, err = readCaptionLines(std.files, c.Captions); err != nil {
			return err
		}
	}
	if c.Siblings != "" {
		if opt.Siblings, err = evalnegatives.ReadSiblings(ctx, c.Siblings); err != nil {
			return err
		}
	}
	dir := runFolder(c.Path, folder.PassTexts)
	std.warnIfIncomplete(dir, folder.PassTexts)
	std.warnAboutForeign(dir, folder.PassTexts)
	report, err := evalnegatives.Evaluate(evalnegatives.Read(c.Path), opt)
	if err != nil {
		return fmt.Errorf("eval negatives: %w", err)
	}
	if !c.JSON {
		return report.WriteTable(inspect.NewPrinter(std.out))
	}
	e := json.NewEncoder(std.out)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

func (c *evalNegatives) stopError() error { return errEvalStopped }

// errEvalStopped is the error of a measurement that was stopped.
var errEvalStopped = errors.New("stopped before the end; nothing that was measured is kept")

// maxCaptionLine is the largest size of a line of the file of captions, in bytes.
const maxCaptionLine = 1 << 20

// readCaptionLines reads a file with one caption a line, as a set of normalised texts.
func readCaptionLines(files store.Store, path string) (map[string]bool, error) {
	f, err := sources.OpenText(files, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	set := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxCaptionLine)
	n := 1
	for ; lines.Scan(); n++ {
		set[scenegraph.NormalizeText(lines.Text())] = true
	}
	err = lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%s, line %d: %w (want a caption a line, each below 1 MiB)", path, n, err)
	}
	return set, err
}
