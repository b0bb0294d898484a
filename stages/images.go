package stages

import (
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/negatives"
	"capgraph/schemas"
)

// imageColumns are those that images are read from.
func imageColumns() []string {
	return []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText, schemas.ColTokens, schemas.ColGraph}
}

// images gives the images of a batch, each with the row of its first caption.
// An image is valid until the next.
func images(rec arrow.Record) (iter.Seq2[int, *negatives.Image], error) { return imagesOf(rec, false) }

// imagesOf does so; where keep is set, an image stays valid as long as rec.
func imagesOf(rec arrow.Record, keep bool) (iter.Seq2[int, *negatives.Image], error) {
	var columns [3]*array.String
	for i, name := range []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText} {
		c, err := schemas.Column[*array.String](rec, name)
		if err != nil {
			return nil, err
		}
		columns[i] = c
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
	return func(yield func(int, *negatives.Image) bool) {
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
			if !yield(begin, image) {
				return
			}
			begin = end
			if keep {
				image, captions = new(negatives.Image), nil
			}
		}
	}, nil
}
