package clip

import (
	"context"

	"capgraph/kernels/products"
)

// batchEncoder encodes lists of images and texts as matrices, a batch at a time.
type batchEncoder struct {
	encoder Encoder
	options Options
	width   int
	broken  []Broken
}

// encodeImages returns the features of images. kept has, for each row, the index of its image; broken
// images have no row.
func (g *batchEncoder) encodeImages(ctx context.Context, list []Image) (rows products.Rows, kept []int, err error) {
	for first := 0; first < len(list); first += g.options.batchSize() {
		part := list[first:min(first+g.options.batchSize(), len(list))]
		features, broken, err := g.encoder.EncodeImages(ctx, part)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return rows, nil, err
		}
		if g.width, err = checkRows("images", features, broken, len(part), g.width); err != nil {
			return rows, nil, err
		}
		for i, row := range features {
			if broken[i] != nil {
				g.broken = append(g.broken, Broken{part[i].Name, broken[i]})
				continue
			}
			rows.Numbers, kept = append(rows.Numbers, row...), append(kept, first+i)
		}
		g.options.reportDone(len(part))
	}
	rows.Width = g.width
	return rows, kept, nil
}

// encodeTexts returns the features of texts, one row each.
func (g *batchEncoder) encodeTexts(ctx context.Context, list []string) (rows products.Rows, err error) {
	for first := 0; first < len(list); first += maxTexts {
		part := list[first:min(first+maxTexts, len(list))]
		features, err := g.encoder.EncodeTexts(ctx, part)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return rows, err
		}
		if g.width, err = checkRows("texts", features, nil, len(part), g.width); err != nil {
			return rows, err
		}
		for _, row := range features {
			rows.Numbers = append(rows.Numbers, row...)
		}
		g.options.reportDone(len(part))
	}
	rows.Width = g.width
	return rows, nil
}

// EncodeImages returns the features of images, encoded in batches. kept has, for each row, the index
// of its image; broken images have no row.
func EncodeImages(ctx context.Context, encoder Encoder, list []Image, o Options) (rows products.Rows, kept []int, broken []Broken, err error) {
	g := batchEncoder{encoder: encoder, options: o}
	rows, kept, err = g.encodeImages(ctx, list)
	return rows, kept, g.broken, err
}
