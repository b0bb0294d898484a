package stages

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/panics"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// sampledAtOnce is of how many shards the samples are read at a time.
const sampledAtOnce = 16

// eachSampled gives the images of shards that are in the sample, in batches and in their order. A
// batch is valid until see returns. What the pass tally kept is read, or where that is not enough,
// graphs/.
func eachSampled(ctx context.Context, s sampler, r *pipeline.Reducer, far *farShards, see func(batch arrow.Record) error) error {
	for shards := range slices.Chunk(r.Shards, sampledAtOnce) {
		samples := make([]sample, len(shards))
		g, within := errgroup.WithContext(ctx)
		for i, shard := range shards {
			g.Go(func() (err error) {
				defer panics.Catch(&err)
				return samples[i].read(within, s, r, far, shard.Name)
			})
		}
		err := g.Wait()
		for i := range samples {
			for _, batch := range samples[i].found {
				if err == nil {
					err = see(batch)
				}
			}
			err = errors.Join(err, samples[i].close())
		}
		panics.Pass(err)
		if err != nil {
			return err
		}
		r.Advance(int64(len(shards)))
	}
	return ctx.Err()
}

// sample are the rows of a shard that are in the sample, in batches with their images whole. It is
// open until they were seen, since captions that lie elsewhere are looked up in it.
type sample struct {
	batches pipeline.Batches // nil until it is open
	found   []arrow.Record
}

func (p *sample) close() error {
	for _, batch := range p.found {
		batch.Release()
	}
	if p.batches == nil {
		return nil
	}
	return p.batches.Close()
}

// read reads the rows of a shard.
func (p *sample) read(ctx context.Context, s sampler, r *pipeline.Reducer, far *farShards, shard string) error {
	batches, pick, err := openSampled(s, r, far, shard)
	if err != nil {
		return err
	}
	p.batches = batches
	for ctx.Err() == nil {
		batch, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rec, err := pick(batch)
		batch.Release()
		if err != nil {
			return err
		}
		parts, err := apart(rec)
		if err != nil {
			return err
		}
		p.found = append(p.found, parts...)
	}
	return ctx.Err()
}

// openSampled opens what has the rows of a shard that are in the sample, with the captions that lie
// elsewhere, and tells how they are picked.
func openSampled(s sampler, r *pipeline.Reducer, far *farShards, shard string) (pipeline.Batches, func(arrow.Record) (arrow.Record, error), error) {
	mem := r.Env.Mem
	kept, err := r.Folder.ReadSample(mem, folder.PassTally, shard)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err == nil && s.within(kept.Share) {
		batches, err := far.add(r.Folder, mem, shard, kept)
		return batches, func(batch arrow.Record) (arrow.Record, error) { return s.from(mem, batch) }, err
	}
	if err == nil {
		if err := kept.Close(); err != nil {
			return nil, nil, err
		}
	}
	batches, err := far.openFar(r.Folder, mem, shard, imageColumns())
	p := &picker{mem: mem, from: s}
	return batches, p.pick, err
}

// apart cuts a batch where two groups of one image follow each other, and takes it over.
func apart(rec arrow.Record) ([]arrow.Record, error) {
	defer rec.Release()
	images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	groups, err := schemas.Column[*array.Int64](rec, schemas.ColGroup)
	if err != nil {
		return nil, err
	}
	var parts []arrow.Record
	begin := 0
	for i := 1; i <= groups.Len(); i++ {
		if i == groups.Len() || images.Value(i) == images.Value(i-1) && groups.Value(i) != groups.Value(i-1) {
			parts = append(parts, rec.NewSlice(int64(begin), int64(i)))
			begin = i
		}
	}
	return parts, nil
}
