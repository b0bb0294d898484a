package clip

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// Captioned is an image with its captions.
type Captioned struct {
	Image string
	// ImageKey and Key are the image key and the key of its first row, if it is from a folder of
	// texts; else "".
	ImageKey, Key string
	Texts         []string
}

const captionsForm = "COCO's, Karpathy's or DOCCI's JSON, NegBench's CSV, a folder of texts, or Urban-1k's folder"

// ReadCaptions reads images with their captions in order, from COCO's captions JSON, one of Karpathy's
// forms, DOCCI's JSON lines, NegBench's CSV, a folder of texts, or Urban-1k's folder. Images without a
// caption are left out. split, if not "", chooses a split of Karpathy's or DOCCI's JSON, such as test.
func ReadCaptions(ctx context.Context, files store.Store, name, split string) ([]Captioned, error) {
	info, err := files.Stat(name)
	if err != nil {
		return nil, err
	}
	c := &captionCollector{index: map[string]int{}, split: split, splits: map[string]bool{}}
	switch {
	case info.Dir && split != "":
		err = fmt.Errorf("%s: split=%s is for Karpathy's and DOCCI's JSON: a folder of texts has no splits", name, split)
	case info.Dir:
		err = c.readFolder(ctx, files, name)
	case path.Ext(name) == ".csv":
		_, err = parseFile(files, name, negBenchRetrievalForm, c.addNegBench)
	default:
		err = c.readJSON(ctx, files, name, info.Size)
	}
	if err == nil && len(c.images) == 0 && split != "" {
		there := strings.Join(slices.Sorted(maps.Keys(c.splits)), ", ")
		err = fmt.Errorf("%s: has no captions of split %q: it has %s", name, split, cmp.Or(there, "no splits"))
	}
	if err == nil && len(c.images) == 0 {
		err = fmt.Errorf("%s: has no captions (want %s)", name, captionsForm)
	}
	if err != nil {
		return nil, err
	}
	return c.images, nil
}

// captionCollector collects captions by image.
type captionCollector struct {
	images []Captioned
	index  map[string]int // into images, by image key or, without one, by image
	split  string         // the split to read, "" for all
	splits map[string]bool
}

// add adds a caption of an image.
func (c *captionCollector) add(imageKey, key, image, caption string) {
	name := cmp.Or(imageKey, image)
	at, known := c.index[name]
	if !known {
		at = len(c.images)
		c.index[name] = at
		c.images = append(c.images, Captioned{Image: image, ImageKey: imageKey, Key: key})
	}
	c.images[at].Texts = append(c.images[at].Texts, caption)
}

func (c *captionCollector) readJSON(ctx context.Context, files store.Store, name string, size int64) error {
	format, err := captionsFormat(files, name)
	if err != nil {
		return err
	}
	if format == "docci" {
		_, err = parseFile(files, name, docciForm, c.addDOCCI)
		return err
	}
	rows, err := sources.Scan(ctx, files, sources.File{Path: name, Size: size}, sources.Options{Format: format})
	if err != nil {
		return err
	}
	defer rows.Close()
	var row sources.Row
	for {
		err := rows.Next(&row)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if row.Split != "" {
			c.splits[row.Split] = true
		}
		if c.split != "" && row.Split != c.split {
			continue
		}
		if image := cmp.Or(row.Image, row.ImageKey); image != "" && row.Caption != "" {
			c.add("", "", image, row.Caption)
		}
	}
}

// captionsFormat returns "coco", "karpathy" or "docci", by how the file begins.
func captionsFormat(files store.Store, name string) (string, error) {
	in, err := sources.OpenText(files, name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	head, err := io.ReadAll(io.LimitReader(in, 1<<16))
	if err != nil {
		return "", err
	}
	if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("[")) || bytes.Contains(head, []byte(`"sentences"`)) {
		return "karpathy", nil
	}
	if line, _, _ := bytes.Cut(head, []byte("\n")); bytes.Contains(line, []byte(`"image_file"`)) {
		return "docci", nil
	}
	return "coco", nil
}

func (c *captionCollector) readFolder(ctx context.Context, files store.Store, dir string) error {
	if numbered, err := c.readCaptionFiles(ctx, files, store.Join(dir, "caption")); numbered || err != nil {
		return err
	}
	shards, err := textShards(files, dir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if err := c.readShard(ctx, files, shard); err != nil {
			return fmt.Errorf("%s: %w", shard, err)
		}
	}
	return nil
}

func (c *captionCollector) readShard(ctx context.Context, files store.Store, name string) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for row, err := range schemas.ReadTexts(f, f.Size()) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		c.add(strings.Clone(row.ImageKey), strings.Clone(row.Key), strings.Clone(row.Image), strings.Clone(row.Text))
	}
	return nil
}

// textShards returns the Parquet files of dir/texts, else of dir.
func textShards(files store.Store, dir string) (shards []string, err error) {
	for _, folder := range []string{store.Join(dir, "texts"), dir} {
		infos, err := files.List(folder)
		if err != nil && folder == dir {
			return nil, err
		}
		for _, f := range infos {
			base := path.Base(f.Name)
			if !f.Dir && path.Ext(base) == ".parquet" && base[0] != '.' && base[0] != '_' {
				shards = append(shards, store.Join(folder, base))
			}
		}
		if len(shards) > 0 {
			return shards, nil
		}
	}
	return nil, fmt.Errorf("%s has no texts/*.parquet: name the output.dir of a finished run", dir)
}
