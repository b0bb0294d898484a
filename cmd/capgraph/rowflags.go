package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// rowFlags select the rows to show.
type rowFlags struct {
	Caption string `arg:"" optional:"" name:"key" help:"The key of the caption; without one, a row is drawn at random."`
	Key     string `help:"The same as a flag, for keys that begin with a dash."`
	Image   string `help:"The image_key or the image: show all of its captions."`
}

// AfterApply sets Key, whether it is given as an argument or as a flag.
func (c *rowFlags) AfterApply() error {
	switch {
	case c.Key != "" && c.Caption != "":
		return errors.New("the key is named twice, as KEY and as --key: leave out one")
	}
	c.Key = cmp.Or(c.Key, c.Caption)
	return nil
}

// query returns the query of the flags.
func (c rowFlags) query() inspect.Query { return inspect.Query{Key: c.Key, Image: c.Image} }

// eachRow calls see for the first row of graphs/ with the key, or for all rows of the image. It returns
// an *inspect.NoRowError if there is none.
func (c rowFlags) eachRow(ctx context.Context, f folder.Folder, see func(n int, at schemas.RowRef) error) error {
	if c.Key == "" && c.Image == "" {
		shards, err := inspect.PresentShards(f, folder.PassParse)
		if err != nil {
			return err
		}
		for _, at := range inspect.SampleRows(shards, 1, uint64(time.Now().UnixNano())) {
			return see(0, at)
		}
		return fmt.Errorf("%s has no rows in graphs/", f.Dir)
	}
	if c.Image == "" {
		at, err := inspect.Find(ctx, f, folder.PassParse, c.query())
		if err != nil {
			return err
		}
		return see(0, at)
	}
	n := 0
	for at, err := range inspect.FindAll(ctx, f, folder.PassParse, c.query()) {
		if err != nil {
			return err
		}
		if err := see(n, at); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		_, err := inspect.Find(ctx, f, folder.PassParse, c.query())
		return err
	}
	return nil
}
