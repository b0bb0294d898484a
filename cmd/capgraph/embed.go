package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"capgraph/eval/clip"
	"capgraph/folder"
	"capgraph/images"
	"capgraph/internal/text"
	"capgraph/sources"
	"capgraph/store"
	"capgraph/train/features"
)

// embedCommand writes features.
type embedCommand struct {
	modelFlags
	From   string `help:"Output folder of a run, or captions JSON of COCO or Karpathy: the images that it names, or its captions with --encode texts. Without it, all images of the folder --images." placeholder:"PATH"`
	Encode string `help:"What to encode of it: images or texts." enum:"images,texts" default:"images"`
	Texts  string `help:"Texts, one a line; the text is its key." type:"existingfile" placeholder:"FILE"`
	Output string `short:"o" required:"" help:"Parquet file to write; it must not exist." placeholder:"FILE"`
}

// Help returns the text below the usage.
func (embedCommand) Help() string {
	return `Writes the features of images or texts as Parquet: the columns key, and feature, a list of float32 of length 1, so that inner products
are cosines. A key is the image key of a run's texts, the name of an image, or the text.

  capgraph embed out/train --images photos -o images.parquet
  capgraph embed out/train --texts queries.txt -o texts.parquet`
}

// Validate refuses invalid flags.
func (c *embedCommand) Validate() error {
	switch {
	case c.Texts != "" && (c.From != "" || len(c.Images) > 0):
		return errors.New("--texts names texts: leave out --from and --images")
	case c.Texts == "" && c.Encode == "images" && len(c.Images) == 0:
		return errors.New("want --images PATH, or --texts FILE")
	case c.Encode == "texts" && c.From == "":
		return errors.New("--encode texts has no use without --from")
	}
	return nil
}

// Run implements embed.
func (c *embedCommand) Run(ctx context.Context, std streams) error {
	files := std.files
	out, err := store.CreateNew(files, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	table := features.NewTable(out, c.Model)
	n, err := c.writeFeatures(ctx, std, table)
	if err == nil {
		err = table.Close()
	}
	if err == nil {
		err = out.Publish()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "%s: %d %s\n", c.Output, n, text.Plural(n, "row", "rows"))
	return nil
}

// writeFeatures encodes the texts or images, and returns the number of rows.
func (c *embedCommand) writeFeatures(ctx context.Context, std streams, table *features.Table) (written int, err error) {
	encoder, closeAll, err := c.openEncoder(std)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	if c.Texts != "" || c.Encode == "texts" {
		add, stop := std.showProgress(c.Progress, "encode", "text", "texts", 0)
		defer stop()
		if written, err = encoder.WriteTexts(ctx, table, c.eachText(ctx, std), add); err == nil && written == 0 {
			err = errors.New("there is no text to encode")
		}
		return written, err
	}
	keys, names, err := c.listImages(ctx, std, encoder)
	if err != nil {
		return 0, err
	}
	add, stop := std.showProgress(c.Progress, "encode", "image", "images", len(names))
	defer stop()
	written, broken, err := encoder.WriteImages(ctx, table, keys, names, add)
	std.warnAboutBroken(c.Output, broken)
	if err == nil && written == 0 {
		err = fmt.Errorf("none of the %d images can be read: check that --images names their folder, tars or Parquet files", len(names))
	}
	return written, err
}

// listImages returns the keys and names of the images.
func (c *embedCommand) listImages(ctx context.Context, std streams, encoder *features.Folder) (keys, names []string, err error) {
	if c.From != "" {
		std.warnIfIncomplete(runFolder(c.From, folder.PassTexts), folder.PassTexts)
		captions, err := clip.ReadCaptions(ctx, std.files, c.From, "")
		if err != nil {
			return nil, nil, err
		}
		for i, named := range encoder.ResolveNames(captions) {
			keys, names = append(keys, cmp.Or(captions[i].ImageKey, captions[i].Image)), append(names, named.Image)
		}
		return keys, names, nil
	}
	for _, dir := range c.Images {
		inside, err := images.ListBelow(std.files, dir)
		if err != nil {
			return nil, nil, err
		}
		names = append(names, inside...)
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("%s: contains no images; for tars or Parquet, name the run that they belong to with --from", strings.Join(c.Images, ", "))
	}
	return names, names, nil
}

// eachText yields the lines of a file, or the captions of images.
func (c *embedCommand) eachText(ctx context.Context, std streams) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if c.Texts != "" {
			eachLine(std.files, c.Texts, yield)
			return
		}
		captions, err := clip.ReadCaptions(ctx, std.files, c.From, "")
		if err != nil {
			yield("", err)
			return
		}
		for _, image := range captions {
			for _, text := range image.Texts {
				if !yield(text, nil) {
					return
				}
			}
		}
	}
}

// eachLine yields the lines of a file that are not empty.
func eachLine(files store.Store, name string, yield func(string, error) bool) {
	in, err := sources.OpenText(files, name)
	if err != nil {
		yield("", err)
		return
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxCaptionLine)
	for lines.Scan() {
		if lines.Text() != "" && !yield(lines.Text(), nil) {
			return
		}
	}
	if err := lines.Err(); err != nil {
		yield("", fmt.Errorf("%s: %w (want a text a line, each below 1 MiB)", name, err))
	}
}

func (c *embedCommand) stopError() error { return partialOutputError(c.Output) }
