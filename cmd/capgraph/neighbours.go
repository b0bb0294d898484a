package main

import (
	"context"
	"errors"
	"fmt"

	"capgraph/eval/clip"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
	"capgraph/train/features"
)

// neighboursCommand finds similar images.
type neighboursCommand struct {
	modelFlags
	Dir    string `arg:"" help:"Output folder of a run: the images that its texts name."`
	K      int    `short:"k" help:"Number of neighbours of an image." default:"3"`
	Output string `short:"o" required:"" help:"File to write; it must not exist." placeholder:"FILE"`
}

// Help returns the text below the usage.
func (neighboursCommand) Help() string {
	return `Finds the K nearest neighbours of each image by the features of a model, with an exact search. It writes a line for each
image: its image key and those of its neighbours, nearest first, separated by tabs. 'capgraph train' reads the file as
data.neighbours, 'capgraph export --to negclip-tsv' as --neighbours.

  capgraph neighbours ViT-B-32 out/coco --images coco/train2017 -o out/neighbours.tsv`
}

// Validate refuses invalid flags.
func (c *neighboursCommand) Validate() error {
	switch {
	case c.K < 1 || c.K > 1000:
		return fmt.Errorf("-k %d: want 1 to 1000", c.K)
	case len(c.Images) == 0:
		return errors.New("--images is missing: name the folder, tars or Parquet files of the images")
	}
	return nil
}

// Run implements neighbours.
func (c *neighboursCommand) Run(ctx context.Context, std streams) error {
	files := std.files
	out, err := store.CreateNew(files, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	dir := runFolder(c.Dir, folder.PassTexts)
	std.warnIfIncomplete(dir, folder.PassTexts)
	list, err := clip.ReadCaptions(ctx, files, c.Dir, "")
	if err != nil {
		return err
	}
	encoder, closeAll, err := c.openEncoder(std)
	if err != nil {
		return err
	}
	defer closeAll()
	add, stop := std.showProgress(c.Progress, "encode", "image", "images", len(list))
	broken, err := features.Neighbours(ctx, encoder, encoder.ResolveNames(list), c.K, out, clip.Options{Done: add})
	stop()
	if err != nil {
		return err
	}
	std.warnAboutBroken(c.Dir, broken)
	if len(broken) == len(list) {
		return fmt.Errorf("none of the %d images can be read: check that --images names their folder, tars or Parquet files", len(list))
	}
	if err := out.Publish(); err != nil {
		return err
	}
	n := len(list) - len(broken)
	fmt.Fprintf(std.err, "%s: %d %s of %d neighbours\n", c.Output, n, text.Plural(n, "image", "images"), min(c.K, max(n-1, 0)))
	return nil
}

func (c *neighboursCommand) stopError() error { return partialOutputError(c.Output) }
