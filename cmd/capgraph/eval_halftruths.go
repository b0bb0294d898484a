package main

import (
	"context"
	"fmt"

	"capgraph/export"
	"capgraph/folder"
	"capgraph/images"
	"capgraph/internal/text"
)

// evalHalfTruths writes a benchmark in the form of Half-Truths from the texts of a run.
type evalHalfTruths struct {
	Dir    string   `arg:"" help:"Output folder of a run."`
	Output string   `help:"File to write. It must not exist; - is standard output." short:"o" required:"" placeholder:"FILE"`
	Seed   uint64   `help:"Seed of the draw." default:"0"`
	Limit  int      `help:"Largest number of cases, a sample of all; 0 for all." default:"0" placeholder:"N"`
	Images []string `help:"The images that a model will be measured on: tars, or Parquet with a column key, name them by the key of a row. Without it they are named by the column image, else the key." placeholder:"PATH"`
}

// Help returns the text below the usage.
func (evalHalfTruths) Help() string {
	return `Writes cases of an image and three texts: a part of its caption, the same with another part that is true, and with the
negative of that part. 'capgraph eval clip' counts how often a model ranks the false addition below the part alone:

  capgraph eval halftruths out/coco -o half.jsonl --limit 2000
  capgraph eval clip out/train --images coco/val2017 --benchmark half-truths=half.jsonl`
}

// Validate refuses invalid flags.
func (c *evalHalfTruths) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit=%d: want 0 or more", c.Limit)
	}
	return nil
}

// Run implements eval halftruths.
func (c *evalHalfTruths) Run(ctx context.Context, std streams) error {
	o := export.HalfTruthOptions{Seed: c.Seed, Limit: c.Limit, Tag: newTagger()}
	if len(c.Images) > 0 {
		set, err := images.Open(std.files, images.Options{Format: images.FormatAuto, Paths: c.Images})
		if err != nil {
			return fmt.Errorf("eval halftruths: %w", err)
		}
		defer set.Close()
		o.Images = set
	}
	s, err := export.WriteHalfTruths(ctx, export.Options{Store: std.files, Dir: c.Dir, Output: c.Output, Stdout: std.out}, o)
	if err != nil {
		return fmt.Errorf("eval halftruths: %w", err)
	}
	std.warnIfIncomplete(c.Dir, folder.PassTexts)
	fmt.Fprintf(std.err, "%s: %d %s of %d %s\n", c.Output, s.Written, text.Plural(s.Written, "case", "cases"), s.Rows, text.Plural(s.Rows, "caption", "captions"))
	for _, l := range s.LeftOut {
		fmt.Fprintf(std.err, "  %d without a case: %s\n", l.Rows, l.Reason)
	}
	return nil
}

func (c *evalHalfTruths) stopError() error { return partialOutputError(c.Output) }
