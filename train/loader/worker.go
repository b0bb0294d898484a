package loader

import (
	"context"
	"strconv"
	"time"

	"capgraph/images"
	"capgraph/internal/panics"
	"capgraph/store"
)

// worker makes samples, one at a time.
type worker struct {
	options *Options
	pool    *bufferPool
	decoder Decoder
	encoded []byte
	name    []byte
}

// runTasks makes samples until ctx ends.
func (w *worker) runTasks(ctx context.Context, tasks <-chan task) {
	for {
		select {
		case t := <-tasks:
			began := time.Now()
			err := w.makeSample(ctx, t)
			t.batch.work.finishSample(t.index, time.Since(began), err)
		case <-ctx.Done():
			return
		}
	}
}

// makeSample makes the sample of a task. If its image is missing or broken, the sample's Err is
// set. Any other error is returned.
func (w *worker) makeSample(ctx context.Context, t task) (err error) {
	defer panics.Catch(&err)
	b := t.batch
	s, it, seed := b.Samples[t.index], &b.work.items[t.index], w.options.Seed
	own := t.index >= b.First && t.index < b.Last
	b.work.plan.fillSample(s, it.image, seed, it.epoch)
	s.dropSameTokens(w.options.SameTokens)
	if own {
		if s.Pixels, s.Err, err = w.decodeImage(ctx, it.image, it.epoch); err != nil {
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
	partner, epoch := &Sample{}, it.epoch%repeatEpochStep
	b.work.plan.fillSample(partner, it.partner, seed, epoch)
	partner.dropSameTokens(w.options.SameTokens)
	if own {
		if partner.Pixels, s.PartnerErr, err = w.decodeImage(ctx, it.partner, epoch); err != nil || s.PartnerErr != nil {
			return err
		}
	}
	s.Partner = partner
	return nil
}

// decodeImage reads and decodes an image. broken is the error of a missing or broken image, err any
// other error.
func (w *worker) decodeImage(ctx context.Context, img *image, epoch uint64) (pixels []byte, broken, err error) {
	set, name := w.options.Corpora[img.shard.corpus].Images, img.image
	if images.NamedByKey(set) {
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
	pixels = w.pool.takePixels(w.options.Side)
	broken = w.decoder.Decode(pixels, string(w.name), read, w.options.Seed, epoch, img.imageKey)
	if broken == nil {
		return pixels, nil, nil
	}
	w.pool.releasePixels(pixels)
	if err != nil && (ctx.Err() != nil || store.IsEnvironmentError(err)) {
		return nil, nil, err
	}
	return nil, broken, nil
}
