package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"capgraph/export"
	"capgraph/folder"
	"capgraph/internal/text"
)

// exportCommand converts texts to the format of another trainer.
type exportCommand struct {
	Dir        string `arg:"" help:"Output folder of a run."`
	To         string `help:"Format: ${enum}." required:"" enum:"${exports}" placeholder:"FORMAT"`
	Output     string `help:"File to write, or folder for ${folders}. It must not exist; a folder may be empty. A file named - is standard output." short:"o" required:"" placeholder:"PATH"`
	Images     string `help:"Folder of the images, or of tars or Parquet files with them, for the formats that have images. Without it the tars of c2lip, flair, tripletclip and webdataset have only texts. negclip-tsv, csclip and negbench put it before the path of each image." placeholder:"DIR"`
	Neighbours string `help:"Similar images, for negclip-tsv: one image a line, its key and the keys of its neighbours, separated by tabs." placeholder:"FILE"`
	Positives  int    `help:"Number of positive texts of a webdataset sample: pos_0 (the caption), pos_1 …" default:"4"`
	Context    int    `help:"Tokens that the text encoder reads of a text: negatives that equal their positives within them are left out; 0: none are." default:"77"`
	Negatives  int    `help:"Number of negatives of a row for sentence-transformers: negative_1 …" default:"1"`
}

// exportVars returns the names of the export formats, for the help text.
func exportVars() kong.Vars {
	var names, folders []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
		if f.IsFolder {
			folders = append(folders, f.Name)
		}
	}
	return kong.Vars{"exports": strings.Join(names, ","), "folders": strings.Join(folders, ", ")}
}

// Validate refuses flags that the format does not use.
func (c *exportCommand) Validate() error {
	f, found := c.findFormat()
	switch {
	case !found: // kong reports it after this
		return nil
	case c.Images != "" && !f.Uses("images"):
		return fmt.Errorf("--images is not used by --to %s: it has no images and no paths of files", c.To)
	case c.Neighbours != "" && !f.Uses("neighbours"):
		return fmt.Errorf("--neighbours is not used by --to %s, only by negclip-tsv", c.To)
	}
	return checkContext(c.Context)
}

// checkContext refuses a context that is too short for the start and end tokens of a text.
func checkContext(tokens int) error {
	if tokens != 0 && tokens < 2 {
		return fmt.Errorf("--context is %d: want 0, or 2 or more", tokens)
	}
	return nil
}

func (c *exportCommand) findFormat() (f export.Format, found bool) {
	formats := export.Formats()
	i := slices.IndexFunc(formats, func(f export.Format) bool { return f.Name == c.To })
	if i < 0 {
		return f, false
	}
	return formats[i], true
}

// Run implements export.
func (c *exportCommand) Run(ctx context.Context, std streams) error {
	f, _ := c.findFormat()
	s, err := f.Export(ctx, export.Options{
		Store: std.files, Dir: c.Dir, Output: c.Output, Stdout: std.out, Images: c.Images, Neighbours: c.Neighbours,
		Positives: c.Positives, Negatives: c.Negatives, Context: c.Context,
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
