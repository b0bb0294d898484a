package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"capgraph/export"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas/drawing"
	"capgraph/stages"
	"capgraph/store"
)

// drawCommand writes the texts that a training draws from a run's positives and negatives in one
// epoch.
type drawCommand struct {
	Dir     string `arg:"" help:"Output folder of a run."`
	Epoch   uint64 `help:"Number of the epoch." required:""`
	Stage   int    `help:"Stage of the curriculum: besides the caption, 1 draws 1 positive and 1 negative, 2 at most 3 and 6." enum:"1,2" default:"2"`
	Seed    uint64 `help:"Seed of the draw; capgraph_torch uses 0 by default." default:"0"`
	Context int    `help:"Tokens that the text encoder reads of a text: drawn negatives that equal their positives within them are left out; 0: none are." default:"77"`
	Output  string `help:"Write this file, which must not exist, Parquet if it ends in .parquet, instead of JSON lines on standard output (-)." short:"o" placeholder:"FILE"`
}

// Help returns the text below the usage.
func (drawCommand) Help() string {
	return `Writes a row for each image: the caption that the epoch draws of it, with the positives and negatives that it draws of that
caption. The columns are those of texts/; neg_of is the index among the positives drawn; JSON lines have no neg_score.
docs/format.md describes the draw.

    capgraph draw out/sample --epoch 0 -o epoch-0.parquet`
}

// Validate checks the flags.
func (c *drawCommand) Validate() error { return checkContext(c.Context) }

// Run implements draw.
func (c *drawCommand) Run(ctx context.Context, std streams) error {
	warning, err := c.writeEpoch(ctx, std)
	if err != nil {
		return err
	}
	if warning != "" {
		std.warn(warning)
	}
	std.warnIfIncomplete(c.Dir, folder.PassTexts)
	if n := stages.CountSplitImages(folder.Folder{Store: std.files, Dir: c.Dir}); n > 0 {
		std.warn(fmt.Sprintf("%s: the rows of %d %s not adjacent: each group is drawn as a separate image ('capgraph verify' names some)", c.Dir, n, text.Plural(n, "image are", "images are")))
	}
	return nil
}

func (c *drawCommand) writeEpoch(ctx context.Context, std streams) (warning string, err error) {
	draw := drawing.NewDraw(c.Seed, c.Epoch, c.Stage)
	if c.Output == "" || c.Output == "-" {
		return export.WriteEpoch(ctx, std.files, c.Dir, draw, c.Context, export.NewJSONLines(std.out))
	}
	t, err := store.CreateNew(std.files, c.Output)
	if err != nil {
		return "", err
	}
	defer t.Discard()
	rows := export.NewJSONLines(t)
	if strings.HasSuffix(c.Output, ".parquet") {
		if rows, err = export.NewParquet(t); err != nil {
			return "", err
		}
	}
	if warning, err = export.WriteEpoch(ctx, std.files, c.Dir, draw, c.Context, rows); err != nil {
		return "", err
	}
	return warning, t.Publish()
}

func (c *drawCommand) stopError() error {
	if c.Output == "" || c.Output == "-" {
		return errors.New("stopped before the end of the epoch")
	}
	return partialOutputError(c.Output)
}
