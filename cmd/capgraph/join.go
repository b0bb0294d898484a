package main

import (
	"context"
	"fmt"

	"capgraph/export/join"
	"capgraph/internal/text"
)

// joinCommand joins texts with the samples of tars.
type joinCommand struct {
	Texts   string `arg:"" help:"Texts: a file, a folder or a glob of Parquet, JSON lines, CSV or TSV, or the output folder of a run."`
	Tars    string `arg:"" help:"Folder of tars with images, or a glob of tars. Their Parquet files beside them (img2dataset) or the .json of each sample have url and sha256."`
	Output  string `help:"Folder to write. It must not exist or be empty." short:"o" required:"" placeholder:"DIR"`
	By      string `help:"What both have: url, sha256 (of the image's bytes), url-sha256 (of the address) or key. Default: the first of url, sha256 and key for which the texts have a column of a usual name." placeholder:"WHAT"`
	Column  string `help:"The column of the texts that has it." placeholder:"NAME"`
	To      string `help:"Format: ${enum}." enum:"parquet,webdataset" default:"parquet" placeholder:"FORMAT"`
	Caption string `help:"With --to webdataset: the column of the .txt. Default: text, caption, recaption, TEXT or title." placeholder:"NAME"`
}

// Validate refuses flags that the format does not use.
func (c *joinCommand) Validate() error {
	if c.Caption != "" && c.To != "webdataset" {
		return fmt.Errorf("--caption is used only by --to webdataset")
	}
	return nil
}

// Run implements join.
func (c *joinCommand) Run(ctx context.Context, std streams) error {
	s, err := join.Join(ctx, join.Options{
		Store: std.files, Texts: c.Texts, Samples: c.Tars, Output: c.Output, By: join.By(c.By), Column: c.Column, Tars: c.To == "webdataset", Caption: c.Caption,
	})
	if err != nil {
		return fmt.Errorf("join: %w", err)
	}
	fmt.Fprintf(std.err, "%s: %d of %d samples of %d %s have a text, of %d texts, by %s (column %s)\n",
		c.Output, s.Joined, s.Samples, s.Tars, text.Plural(s.Tars, "tar", "tars"), s.Texts, s.By, s.Column)
	for _, l := range []struct {
		n    int64
		what string
	}{
		{s.SamplesWithout, "samples without a text: .join/samples_without_text.tsv"},
		{s.TextsWithout, "texts without a sample: .join/texts_without_sample.tsv"},
		{s.Repeated, "further texts of a sample that has one, left out: .join/texts_without_sample.tsv"},
	} {
		if l.n > 0 {
			fmt.Fprintf(std.err, "  %d %s\n", l.n, l.what)
		}
	}
	if s.Joined == 0 {
		std.warn(fmt.Sprintf("no text has the %s of a sample: compare the first lines of both lists, and choose with --by and --column", s.By))
	}
	return nil
}

func (c *joinCommand) stopError() error {
	return fmt.Errorf("stopped before the end; the same command begins anew and replaces what %s has", c.Output)
}
