package pipeline

import (
	"context"
	"errors"
	"io"

	"capgraph/schemas"
	"capgraph/sources"
)

// sampleFiles is the largest number of files that a sample is taken from.
const sampleFiles = 8

// Sample calls visit with about n captions: the first ones of files spread evenly over the corpus.
// It needs no index.
func (c *Corpus) Sample(ctx context.Context, n int, visit func(caption string)) error {
	files := min(len(c.Files), sampleFiles)
	for i := range files {
		f := c.Files[i*len(c.Files)/files]
		if err := c.sampleFile(ctx, f, (n+files-1)/files, visit); err != nil {
			return err
		}
	}
	return nil
}

// sampleFile visits the first n captions of a file.
func (c *Corpus) sampleFile(ctx context.Context, f sources.File, n int, visit func(caption string)) error {
	r, err := sources.Open(ctx, c.Store, f, c.Options, schemas.Position{})
	if err != nil {
		return err
	}
	defer r.Close()
	var row sources.Row
	for seen := 0; seen < n; {
		err := r.Next(&row)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if row.Reject == "" {
			visit(row.Caption)
			seen++
		}
	}
	return nil
}
