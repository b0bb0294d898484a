package features

import (
	"context"
	"iter"

	"capgraph/eval/clip"
)

// writeBatch is the number of images or texts that are encoded and written to a table at a time.
const writeBatch = 256

// WriteImages appends the features of images to a table, each row under its key, and returns their
// number. Broken images are returned and have no row. done is called with the number of images that
// were encoded since its last call.
func (f *Folder) WriteImages(ctx context.Context, to *Table, keys, names []string, done func(int)) (written int, broken []clip.Broken, err error) {
	var list []clip.Image
	for first := 0; first < len(names); first += writeBatch {
		last := min(first+writeBatch, len(names))
		list = list[:0]
		for _, name := range names[first:last] {
			list = append(list, clip.Image{Name: name})
		}
		rows, failed, err := f.EncodeImages(ctx, list)
		if err != nil {
			return written, broken, err
		}
		var named []string
		var good [][]float32
		for i, row := range rows {
			if failed[i] != nil {
				broken = append(broken, clip.Broken{Image: list[i].Name, Err: failed[i]})
				continue
			}
			named, good = append(named, keys[first+i]), append(good, row)
		}
		if err := to.Write(named, good); err != nil {
			return written, broken, err
		}
		written += len(good)
		done(len(list))
	}
	return written, broken, nil
}

// WriteTexts appends the features of texts to a table, each row under its text, and returns their
// number. It stops at the first error, of texts or of its own.
func (f *Folder) WriteTexts(ctx context.Context, to *Table, texts iter.Seq2[string, error], done func(int)) (written int, err error) {
	var batch []string
	var features []float32
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if features, err = f.encoder.AppendTexts(features[:0], batch); err != nil {
			return err
		}
		if err := to.Write(batch, splitRows(features, f.encoder.Width())); err != nil {
			return err
		}
		written += len(batch)
		done(len(batch))
		batch = batch[:0]
		return nil
	}
	for text, err := range texts {
		if err != nil {
			return written, err
		}
		if batch = append(batch, text); len(batch) == writeBatch {
			if err := flush(); err != nil {
				return written, err
			}
		}
	}
	if len(batch) > 0 {
		err = flush()
	}
	return written, err
}
