package stages

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// imageColumns returns the columns that images are read from.
func imageColumns() []string {
	return []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText, schemas.ColTokens, schemas.ColGraph}
}

// eachBatch passes the batches of a shard to see until it returns false, and closes them. Batches
// hold whole images and are valid until see returns.
func eachBatch(batches pipeline.Batches, see func(arrow.Record) (more bool, err error)) error {
	defer batches.Close()
	for more := true; more; {
		batch, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		more, err = see(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// imagesOf iterates over the images of a batch. An image is valid until the next one, or as long as the batch if keep is set.
func imagesOf(rec arrow.Record, keep bool) (iter.Seq[*negatives.Image], error) {
	columns, err := schemas.Strings(rec, schemas.ColKey, schemas.ColImageKey, schemas.ColText)
	if err != nil {
		return nil, err
	}
	tokens, err := schemas.NewTokensView(rec)
	if err != nil {
		return nil, err
	}
	graphs, err := schemas.NewGraphView(rec)
	if err != nil {
		return nil, err
	}
	keys, imageKeys, texts := columns[0], columns[1], columns[2]
	return func(yield func(*negatives.Image) bool) {
		image := new(negatives.Image)
		var captions []negatives.Caption
		for begin, rows := 0, int(rec.NumRows()); begin < rows; {
			end := begin
			for end < rows && imageKeys.Value(end) == imageKeys.Value(begin) {
				if end-begin == len(captions) {
					captions = append(captions, negatives.Caption{})
				}
				c := &captions[end-begin]
				c.Key, c.Text = keys.Value(end), texts.Value(end)
				c.Tokens = tokens.At(end, c.Tokens)
				graphs.At(end, &c.Graph)
				end++
			}
			image.Key, image.Captions = imageKeys.Value(begin), captions[:end-begin]
			if !yield(image) {
				return
			}
			begin = end
			if keep {
				image, captions = new(negatives.Image), nil
			}
		}
	}, nil
}

// eachColumns reads text columns of a shard of graphs/, image_key among them, and passes them to
// see batch by batch. They are valid until see returns.
func eachColumns(ctx context.Context, f folder.Folder, mem memory.Allocator, shard string, names []string, see func([]*array.String)) error {
	batches, err := f.ReadShard(mem, folder.PassParse, shard, names)
	if err != nil {
		return err
	}
	defer batches.Close()
	for ctx.Err() == nil {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		columns, err := schemas.Strings(rec, names...)
		if err == nil {
			see(columns)
		}
		rec.Release()
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
