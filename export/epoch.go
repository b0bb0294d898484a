package export

import (
	"context"
	"iter"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// drawEpoch draws one caption of each image and the texts that an epoch takes of
// it. An image is a run of rows with equal image keys. What is drawn of a pool
// is in the order in which it was drawn, and Of indexes the drawn positives. A
// row is valid until the next one.
func drawEpoch(rows iter.Seq2[*Row, error], d scenegraph.Draw) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var image []*Row
		end := func() bool {
			if len(image) == 0 {
				return true
			}
			r := image[d.Caption(image[0].ImageKey, len(image))]
			image = image[:0]
			drawn := *r
			drawn.Pool = drawPool(d, r.Key, &r.Pool)
			return yield(&drawn, nil)
		}
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(image) > 0 && image[0].ImageKey != r.ImageKey && !end() {
				return
			}
			image = append(image, cloneRow(r))
		}
		end()
	}
}

func drawPool(d scenegraph.Draw, key string, p *schemas.Pool) (drawn schemas.Pool) {
	positives, negatives := d.Texts(key, p)
	at := map[int16]int16{}
	for _, k := range positives {
		at[int16(k)] = int16(len(drawn.Positives))
		drawn.Positives = append(drawn.Positives, p.Positives[k])
	}
	for _, i := range negatives {
		n := p.Negatives[i]
		n.Of = at[n.Of]
		drawn.Negatives = append(drawn.Negatives, n)
	}
	return drawn
}

// WriteEpoch draws an epoch from the shards of dir/texts, in order, and closes w.
func WriteEpoch(ctx context.Context, s store.Store, dir string, d scenegraph.Draw, w RowWriter) error {
	shards, err := listShards(s, dir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		for r, err := range drawEpoch(readShardRows(s, shard), d) {
			if err := firstError(err, ctx.Err()); err != nil {
				return err
			}
			if err := w.Write(r); err != nil {
				return err
			}
		}
	}
	return w.Close()
}
