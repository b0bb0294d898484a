package main

import (
	"context"
	"fmt"
	"slices"

	"capgraph/export"
	"capgraph/folder"
	"capgraph/internal/text"
)

// exportCommand converts texts to the format of another trainer.
type exportCommand struct {
	Dir        string `arg:"" help:"Output folder of a run."`
	To         string `help:"Format: ${enum}." required:"" enum:"negclip-tsv,jsonl,webdataset,mds" placeholder:"FORMAT"`
	Output     string `help:"File to write, or folder for webdataset and mds. It must not exist; a folder may be empty. A file named - is standard output." short:"o" required:"" placeholder:"PATH"`
	Images     string `help:"Folder of the images, or of tars or Parquet files with them, for webdataset and mds. negclip-tsv puts it before the path of each image." placeholder:"DIR"`
	Neighbours string `help:"Similar images, for negclip-tsv: one image a line, its key and the keys of its neighbours, separated by tabs." placeholder:"FILE"`
	Positives  int    `help:"Number of positive texts of a webdataset sample: pos_0 (the caption), pos_1 …" default:"4"`
}

// Validate refuses flags that the format does not use.
func (c *exportCommand) Validate() error {
	switch {
	case c.Images != "" && c.To == "jsonl":
		return fmt.Errorf("--images is not used by --to jsonl: the column image stays as it is in texts/")
	case c.Neighbours != "" && c.To != "negclip-tsv":
		return fmt.Errorf("--neighbours is not used by --to %s, only by negclip-tsv", c.To)
	}
	return nil
}

// Run implements export.
func (c *exportCommand) Run(ctx context.Context, std streams) error {
	formats := export.Formats()
	i := slices.IndexFunc(formats, func(f export.Format) bool { return f.Name == c.To })
	s, err := formats[i].Write(ctx, export.Options{
		Store: std.files, Dir: c.Dir, Output: c.Output, Stdout: std.out, Images: c.Images, Neighbours: c.Neighbours, Positives: c.Positives,
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	std.warnIfIncomplete(c.Dir, folder.PassTexts)
	for _, w := range s.Warnings {
		std.warn(w)
	}
	fmt.Fprintf(std.err, "%s: %d of %d %s\n", c.Output, s.Written, s.Rows, text.Plural(s.Rows, "row", "rows"))
	for _, l := range s.LeftOut {
		fmt.Fprintf(std.err, "  %d left out: %s\n", l.Rows, l.Reason)
	}
	return nil
}

func (c *exportCommand) stopError() error { return partialOutputError(c.Output) }
