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
func eachSampled(ctx context.Context, s sampler, r *pipeline.Reducer, see func(batch arrow.Record) error) error {
	for shards := range slices.Chunk(r.Shards, sampledAtOnce) {
		found := make([][]arrow.Record, len(shards))
		g, within := errgroup.WithContext(ctx)
		for i, shard := range shards {
			g.Go(func() (err error) {
				defer panics.Catch(&err)
				found[i], err = sampled(within, s, r, shard.Name)
				return err
			})
		}
		err := g.Wait()
		for _, batch := range slices.Concat(found...) {
			if err == nil {
				err = see(batch)
			}
			batch.Release()
		}
		panics.Pass(err)
		if err != nil {
			return err
		}
		r.Advance(int64(len(shards)))
	}
	return ctx.Err()
}

// sampled are the rows of a shard that are in the sample, in batches with their images whole.
func sampled(ctx context.Context, s sampler, r *pipeline.Reducer, shard string) (found []arrow.Record, err error) {
	batches, pick, err := openSampled(s, r, shard)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, batches.Close()) }()
	for ctx.Err() == nil {
		batch, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		rec, err := pick(batch)
		batch.Release()
		if err != nil {
			return found, err
		}
		parts, err := apart(rec)
		if err != nil {
			return found, err
		}
		found = append(found, parts...)
	}
	return found, ctx.Err()
}

// openSampled opens what has the rows of a shard that are in the sample, with the captions that lie
// elsewhere, and tells how they are picked.
func openSampled(s sampler, r *pipeline.Reducer, shard string) (pipeline.Batches, func(arrow.Record) (arrow.Record, error), error) {
	mem := r.Env.Mem
	kept, err := r.Folder.ReadSample(mem, folder.PassTally, shard)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err == nil && s.within(kept.Share) {
		batches, err := addFar(r.Folder, mem, shard, kept)
		return batches, func(batch arrow.Record) (arrow.Record, error) { return s.from(mem, batch) }, err
	}
	if err == nil {
		if err := kept.Close(); err != nil {
			return nil, nil, err
		}
	}
	batches, err := openGraphs(r.Folder, mem, shard, withFar, imageColumns())
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
