package main

import (
	"context"
	"errors"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// rowFlags say which rows are shown.
type rowFlags struct {
	Key   string `help:"The key of the caption."`
	Image string `help:"The image_key, or the image, of the captions."`
}

// Validate refuses what can't be meant.
func (c rowFlags) Validate() error {
	if c.Key == "" && c.Image == "" {
		return errors.New("say which: --key, or --image for all captions of an image")
	}
	return nil
}

func (c rowFlags) wanted() inspect.Query { return inspect.Query{Key: c.Key, Image: c.Image} }

// each calls see for the rows of graphs/ that are wanted: the first of a key, all of
// an image. The error is an *inspect.NoRowError where there is none.
func (c rowFlags) each(ctx context.Context, f folder.Folder, see func(n int, at schemas.RowRef) error) error {
	if c.Image == "" {
		at, err := inspect.Find(ctx, f, folder.PassParse, c.wanted())
		if err != nil {
			return err
		}
		return see(0, at)
	}
	n := 0
	for at, err := range inspect.FindAll(ctx, f, folder.PassParse, c.wanted()) {
		if err != nil {
			return err
		}
		if err := see(n, at); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		_, err := inspect.Find(ctx, f, folder.PassParse, c.wanted())
		return err
	}
	return nil
}
