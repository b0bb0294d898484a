package loader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"capgraph/internal/text"
)

// epochs divides the images of the streams into epochs of whole batches.
type epochs struct {
	streams []*imageStream
	mixer   mixer
	images  int // number of images of an epoch, before rounding down to whole batches
	// missing are the images that were found not to exist.
	missing []MissingImage
	batch   int
	steps   int
	// fullPass says that there is one stream and an epoch is a pass over it, so that each epoch
	// begins at the start of a pass. Otherwise an epoch continues where the previous one ended.
	fullPass bool
}

// openStreams returns one stream for all corpora, or one for each corpus if they have weights, and
// the images that do not exist.
func openStreams(ctx context.Context, o *Options) (streams []*imageStream, missing []MissingImage, err error) {
	var near *Neighbours
	if o.Neighbours != "" {
		if near, err = readNeighbours(o.Store, o.Neighbours); err != nil {
			return nil, nil, err
		}
	}
	for i, c := range o.Corpora {
		shards, err := findShards(o.Store, i, c.Texts)
		if err != nil {
			return nil, nil, err
		}
		looked := c.Images
		if o.Absent != nil {
			looked = nil
		}
		absent, err := countImages(ctx, o.Store, shards, looked)
		if err == nil && o.Absent != nil {
			err = o.Absent.markAbsent(shards)
		}
		if err != nil {
			return nil, nil, err
		}
		missing = append(missing, absent...)
		if i == 0 || o.isWeighted() {
			streams = append(streams, &imageStream{
				store: o.Store, seed: o.Seed, number: i, window: o.Window, replacement: o.Replacement, neighbours: near, with: rowParts{o.Graphs, o.Parts},
			})
		}
		l := streams[len(streams)-1]
		l.shards = append(l.shards, shards...)
		for _, s := range shards {
			l.images += s.images
		}
	}
	return streams, missing, nil
}

// newEpochs returns the epochs over streams. It is an error if a stream has no images, or if an
// epoch has fewer images than a batch.
func newEpochs(o *Options, streams []*imageStream, missing []MissingImage) (*epochs, error) {
	e := &epochs{streams: streams, missing: missing, mixer: mixer{seed: o.Seed}, batch: o.Batch, fullPass: o.Samples == 0 && len(streams) == 1}
	sum := 0.0
	for i, l := range streams {
		if l.images == 0 && len(missing) > 0 {
			return nil, fmt.Errorf("none of the images of %s exists: %w; check that data.corpora.images names their files", o.Corpora[i].Texts, missing[0].Err)
		}
		if l.images == 0 {
			return nil, fmt.Errorf("the texts of %s have no rows: there is nothing to train on", o.Corpora[i].Texts)
		}
		e.images += l.images
		sum += o.Corpora[i].Weight
		e.mixer.cumulative = append(e.mixer.cumulative, sum)
	}
	if o.Samples > 0 {
		e.images = o.Samples
	}
	e.steps = e.images / o.Batch
	if e.steps == 0 {
		return nil, fmt.Errorf("an epoch has %d %s and a batch has %d: lower the batch, or add images", e.images, text.Plural(e.images, "image", "images"), o.Batch)
	}
	return e, nil
}

// fingerprint returns a hash of the names, sizes and ends of all shards.
func (e *epochs) fingerprint() string {
	h := sha256.New()
	for _, l := range e.streams {
		for _, s := range l.shards {
			fmt.Fprintf(h, "%d %q %d %x\n", s.corpus, s.name, s.size, s.tail)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// normalize returns p or, if its step is the end of an epoch, the start of the next epoch.
func (e *epochs) normalize(p Position) Position {
	if p.Step == e.steps {
		return Position{p.Epoch + 1, 0}
	}
	return p
}

// seek moves the streams to the batch at a position.
func (e *epochs) seek(p Position) {
	places := make([]int, len(e.streams))
	if e.fullPass {
		places[0] = p.Epoch*e.images + p.Step*e.batch
		e.streams[0].seek(places[0])
		return
	}
	for epoch := range p.Epoch + 1 {
		e.mixer.beginEpoch(epoch)
		n := e.steps * e.batch
		if epoch == p.Epoch {
			n = p.Step * e.batch
		}
		for range n {
			places[e.mixer.nextStream()]++
		}
	}
	for i, l := range e.streams {
		l.seek(places[i])
	}
}

// beginEpoch prepares the streams for an epoch, after the last image of the previous one.
func (e *epochs) beginEpoch(epoch int) {
	e.mixer.beginEpoch(epoch)
	if e.fullPass {
		e.streams[0].seek(epoch * e.images)
	}
}

// nextItem returns the next image, from the stream that the mixer draws.
func (e *epochs) nextItem(ctx context.Context) (item, error) {
	return e.streams[e.mixer.nextStream()].nextItem(ctx)
}

func (e *epochs) close() {
	for _, l := range e.streams {
		l.close()
	}
}
