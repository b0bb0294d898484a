package stages

import (
	"errors"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// imageColumns are those that images are read from.
func imageColumns() []string {
	return []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText, schemas.ColTokens, schemas.ColGraph}
}

// eachBatch gives the batches of a shard of graphs/, which it closes, to see, each with its images
// whole, until see returns false. A batch is valid until see returns.
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

// images gives the images of a batch, with what captions of shards say that lie elsewhere. An image
// is valid until the next, or as long as the batch where keep is set.
func images(rec arrow.Record, shards *farShards, keep bool) (iter.Seq[*negatives.Image], error) {
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
	far, err := shards.of(rec)
	if err != nil {
		return nil, err
	}
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
			image.Elsewhere = far(image.Key, begin, end)
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
