package export

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
)

// maxImageTexts bounds the texts of one image, in bytes. They are in memory together.
const maxImageTexts = 256 << 20

// drawEpoch draws one caption of each image and, from its pool, the texts that one epoch trains on. Drawn texts are in
// the order of the draw, and HardNegative.Of is an index into the drawn positives. A row is valid until the next one.
func drawEpoch(rows iter.Seq2[*Row, error], d drawing.Draw) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for image, err := range groupImages(rows) {
			if err != nil {
				yield(nil, err)
				return
			}
			r := image[d.Caption(image[0].ImageKey, len(image))]
			drawn := *r
			drawn.Pool = drawPool(d, r.Key, &r.Pool)
			if !yield(&drawn, nil) {
				return
			}
		}
	}
}

// groupImages yields the rows of each image: adjacent rows with the same image key. The rows are valid
// until the next image.
func groupImages(rows iter.Seq2[*Row, error]) iter.Seq2[[]*Row, error] {
	return func(yield func([]*Row, error) bool) {
		var image []*Row
		size := 0
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(image) > 0 && image[0].ImageKey != r.ImageKey {
				if !yield(image, nil) {
					return
				}
				image, size = image[:0], 0
			}
			if size += sizeOf(r); size > maxImageTexts {
				yield(nil, fmt.Errorf("the captions of image %q have more than %d bytes with their texts: image_key should name an image", r.ImageKey, maxImageTexts))
				return
			}
			image = append(image, cloneRow(r))
		}
		if len(image) > 0 {
			yield(image, nil)
		}
	}
}

// drawPool returns the texts of pool p that d draws. key is the key of its row.
func drawPool(d drawing.Draw, key string, p *schemas.Pool) (drawn schemas.Pool) {
	positives, negatives := d.Texts(key, p)
	drawnIndex := map[int16]int16{} // from an index in the pool to one in drawn
	for _, k := range positives {
		drawnIndex[int16(k)] = int16(len(drawn.Positives))
		drawn.Positives = append(drawn.Positives, p.Positives[k])
	}
	for _, i := range negatives {
		n := p.Negatives[i]
		n.Of = drawnIndex[n.Of]
		drawn.Negatives = append(drawn.Negatives, n)
	}
	return drawn
}

// WriteEpoch writes the rows that an epoch draws from the shards of dir/texts, in order, and closes w. If tokens is not
// 0, drawn negatives that equal their positives within that many tokens are left out; the warning says how many.
func WriteEpoch(ctx context.Context, s store.Store, dir string, d drawing.Draw, tokens int, w RowWriter) (warning string, err error) {
	cut, err := newCutNegatives(tokens)
	if err != nil {
		return "", err
	}
	shards, err := ListShards(s, dir)
	if err != nil {
		return "", err
	}
	for _, shard := range shards {
		for r, err := range drawEpoch(readShardRows(Options{Store: s}, shard), d) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return "", err
			}
			cut.dropEqual(r)
			if err := w.Write(r); err != nil {
				return "", err
			}
		}
	}
	return cut.warning(), w.Close()
}
