package loader

import (
	"context"
	"strconv"
	"time"

	"capgraph/internal/panics"
	"capgraph/store"
	"capgraph/train/images"
)

// worker makes samples, one after the other.
type worker struct {
	options *Options
	spare   *spare
	decoder Decoder
	encoded []byte
	name    []byte
}

// run makes samples until ctx ends.
func (w *worker) run(ctx context.Context, tasks <-chan task) {
	for {
		select {
		case t := <-tasks:
			began := time.Now()
			err := w.make(ctx, t)
			t.batch.work.finish(t.at, time.Since(began), err)
		case <-ctx.Done():
			return
		}
	}
}

// make makes a sample. What is wrong with its image alone is the sample's Err; the
// error is one that all images would have met.
func (w *worker) make(ctx context.Context, t task) (err error) {
	defer panics.Catch(&err)
	b := t.batch
	s, it, seed := b.Samples[t.at], &b.work.items[t.at], w.options.Seed
	own := t.at >= b.First && t.at < b.Last
	b.work.plan.fill(s, it.image, seed, it.epoch)
	if own {
		if s.Pixels, s.Err, err = w.pixels(ctx, it.image, it.epoch); err != nil {
			return err
		}
	}
	if w.options.Neighbours == "" {
		return nil
	}
	if it.partner == nil {
		s.PartnerErr = ErrNoNeighbour
		return nil
	}
	partner, epoch := &Sample{}, it.epoch%repeat
	b.work.plan.fill(partner, it.partner, seed, epoch)
	if own {
		if partner.Pixels, s.PartnerErr, err = w.pixels(ctx, it.partner, epoch); err != nil || s.PartnerErr != nil {
			return err
		}
	}
	s.Partner = partner
	return nil
}

// pixels reads and decodes an image.
func (w *worker) pixels(ctx context.Context, img *image, epoch uint64) (pixels []byte, broken, err error) {
	set, name := w.options.Corpora[img.shard.corpus].Images, img.image
	if images.ByKey(set) {
		name = img.key
	}
	read := func() ([]byte, error) {
		var encoded []byte
		if encoded, err = set.Read(ctx, img.shard.name, name, w.encoded); err != nil {
			return nil, err
		}
		w.encoded = encoded
		return encoded, nil
	}
	w.name = strconv.AppendInt(w.name[:0], int64(img.shard.corpus), 10)
	w.name = append(append(append(append(w.name, 0), img.shard.name...), 0), name...)
	pixels = w.spare.image(w.options.Side)
	broken = w.decoder.Decode(pixels, string(w.name), read, w.options.Seed, epoch, img.imageKey)
	if broken == nil {
		return pixels, nil, nil
	}
	w.spare.takeImage(pixels)
	if err != nil && (ctx.Err() != nil || store.OfMachine(err)) {
		return nil, nil, err
	}
	return nil, broken, nil
}
