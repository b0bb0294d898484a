package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"capgraph/eval/clip"
	"capgraph/internal/plural"
	"capgraph/sources"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/train/features"
)

// embedCommand writes features.
type embedCommand struct {
	modelFlags
	Of     string `help:"Output folder of a run, or captions JSON of COCO or Karpathy: the images that it names, or its captions with --what texts. Without it, all images of the folder --images." placeholder:"PATH"`
	What   string `help:"What of it: images or texts." enum:"images,texts" default:"images"`
	Texts  string `help:"Texts, one a line; the text is its key." type:"existingfile" placeholder:"FILE"`
	Output string `short:"o" required:"" help:"Parquet file to write; it must not exist." placeholder:"FILE"`
}

// Help is shown below the flags.
func (embedCommand) Help() string {
	return `Writes the features of images or texts as Parquet: the columns key, and feature, a list of float32 of length 1, so that inner products
are cosines. A key is the image key of a run's texts, the name of an image, or the text.

  capgraph embed out/train --images photos -o images.parquet
  capgraph embed out/train --texts queries.txt -o texts.parquet`
}

// Validate refuses what can't be meant.
func (c *embedCommand) Validate() error {
	switch {
	case c.Texts != "" && (c.Of != "" || len(c.Images) > 0):
		return errors.New("--texts names texts: leave out --of and --images")
	case c.Texts == "" && c.What == "images" && len(c.Images) == 0:
		return errors.New("want --images PATH, or --texts FILE")
	case c.What == "texts" && c.Of == "":
		return errors.New("--what texts has no use without --of")
	}
	return nil
}

// embedBatch is how many images or texts are encoded at once.
const embedBatch = 256

// Run implements embed.
func (c *embedCommand) Run(ctx context.Context, std streams) error {
	files := store.Local{}
	out, err := store.CreateNew(files, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	table := features.NewTable(out, c.Model)
	n, err := c.write(ctx, std, table)
	if err == nil {
		err = table.Close()
	}
	if err == nil {
		err = out.Publish()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "%s: %d %s\n", c.Output, n, plural.Of(n, "row", "rows"))
	return nil
}

// write encodes what is to be encoded, and tells how many rows it gave.
func (c *embedCommand) write(ctx context.Context, std streams, table *features.Table) (int, error) {
	if c.Texts != "" || c.What == "texts" {
		return c.writeTexts(ctx, std, table)
	}
	encoder, closeAll, err := c.encoder()
	if err != nil {
		return 0, err
	}
	defer closeAll()
	keys, list, err := c.list(ctx, std, encoder)
	if err != nil {
		return 0, err
	}
	add, stop := std.counted(c.Log, "encode", "image", "images", len(list))
	defer stop()
	written := 0
	var broken []clip.Broken
	for first := 0; first < len(list); first += embedBatch {
		part := list[first:min(first+embedBatch, len(list))]
		rows, failed, err := encoder.EncodeImages(ctx, part)
		if err != nil {
			return 0, err
		}
		var named []string
		var good [][]float32
		for i, row := range rows {
			if failed[i] != nil {
				broken = append(broken, clip.Broken{Image: part[i].Name, Err: failed[i]})
				continue
			}
			named, good = append(named, keys[first+i]), append(good, row)
		}
		if err := table.Write(named, good); err != nil {
			return 0, err
		}
		written += len(good)
		add(len(part))
	}
	std.warnOfBroken(c.Output, broken)
	if written == 0 {
		return 0, fmt.Errorf("none of the %d images can be used; see that --images names where they lie", len(list))
	}
	return written, nil
}

// list are the keys and names of the images.
func (c *embedCommand) list(ctx context.Context, std streams, encoder *features.Folder) (keys []string, list []clip.Image, err error) {
	if c.Of != "" {
		std.warnUnlessWhole(runOf(c.Of, stages.Texts), stages.PassTexts)
		captions, err := clip.ReadCaptions(ctx, store.Local{}, c.Of)
		if err != nil {
			return nil, nil, err
		}
		for i, named := range encoder.Named(captions) {
			key := captions[i].ImageKey
			if key == "" {
				key = captions[i].Image
			}
			keys, list = append(keys, key), append(list, clip.Image{Name: named.Image})
		}
		return keys, list, nil
	}
	for _, dir := range c.Images {
		names, err := imagesBelow(store.Local{}, dir, "")
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			keys, list = append(keys, name), append(list, clip.Image{Name: name})
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("%s: has no images in it; for tars or Parquet, name the run that they are of with --of", strings.Join(c.Images, ", "))
	}
	return keys, list, nil
}

// imagesBelow are the images of a folder and of those in it, by their paths.
func imagesBelow(files store.Store, dir, below string) (names []string, err error) {
	infos, err := files.List(path.Join(dir, below))
	if err != nil {
		return nil, err
	}
	for _, f := range infos {
		name := path.Join(below, path.Base(f.Name))
		if f.Dir {
			inside, err := imagesBelow(files, dir, name)
			if err != nil {
				return nil, err
			}
			names = append(names, inside...)
			continue
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".jpg", ".jpeg", ".png", ".webp":
			names = append(names, name)
		}
	}
	return names, nil
}

func (c *embedCommand) writeTexts(ctx context.Context, std streams, table *features.Table) (int, error) {
	model, closeModel, err := c.textModel()
	if err != nil {
		return 0, err
	}
	defer closeModel()
	add, stop := std.counted(c.Log, "encode", "text", "texts", 0)
	defer stop()
	written := 0
	var batch []string
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := features.NewFolder(model.Encoder, nil).EncodeTexts(ctx, batch)
		if err == nil {
			err = table.Write(batch, rows)
		}
		written += len(batch)
		add(len(batch))
		batch = batch[:0]
		return err
	}
	err = c.eachText(ctx, func(text string) error {
		if batch = append(batch, text); len(batch) < embedBatch {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	if err == nil && written == 0 {
		err = errors.New("there is no text to encode")
	}
	return written, err
}

// eachText gives take the texts of a file of lines, or the captions of images.
func (c *embedCommand) eachText(ctx context.Context, take func(string) error) error {
	if c.Texts == "" {
		captions, err := clip.ReadCaptions(ctx, store.Local{}, c.Of)
		for _, image := range captions {
			for _, text := range image.Texts {
				if err := take(text); err != nil {
					return err
				}
			}
		}
		return err
	}
	in, err := sources.OpenText(store.Local{}, c.Texts)
	if err != nil {
		return err
	}
	defer in.Close()
	return eachLine(in, c.Texts, take)
}

func eachLine(in io.Reader, name string, take func(string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxCaptionLine)
	for lines.Scan() {
		if lines.Text() == "" {
			continue
		}
		if err := take(lines.Text()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w (want a text a line, each below 1 MiB)", name, err)
	}
	return nil
}

func (c *embedCommand) stopped() error { return stoppedBefore(c.Output) }
