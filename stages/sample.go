package stages

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/panics"
	"capgraph/pipeline"
	"capgraph/schemas"
)

const (
	// minSampleRows is the minimum number of source rows that the samples of all shards are taken
	// from; the number is less than twice that.
	minSampleRows = 128 << 10
	// minSampleShare is the smallest n for which one image in n is sampled. A corpus of fewer than
	// minSampleShare × minSampleRows rows is read whole, and has no sample.
	minSampleShare = 4
)

// sampleSize determines which share of a corpus is sampled: one in 2^n images, the same in all
// shards. An image is sampled if the hash of its key begins with n zero bits. minRows is
// minSampleRows except in tests.
type sampleSize struct{ minRows int64 }

// chooseSample returns the sample of a corpus, or nil if the corpus is small.
func (s sampleSize) chooseSample(x *folder.Index) *pipeline.Sample {
	share := max(countRows(x.Shards), 1) / s.minRows
	if share < minSampleShare {
		return nil
	}
	n := bits.Len64(uint64(share)) - 1
	return &pipeline.Sample{
		OneIn: 1 << n, Schema: schemas.SampleSchema(),
		Select: func(mem memory.Allocator) func(arrow.Record) (arrow.Record, error) {
			p := &samplePicker{mem: mem, sampler: imageSampler{below: 1 << (64 - n)}}
			return p.pickSample
		},
	}
}

// imageSampler samples images by the hash of their key alone. So the sample does not depend on the
// order or sharding of the corpus or on a seed, and a smaller sample is a part of a larger one.
type imageSampler struct {
	below uint64
	all   bool
}

// hasImage reports whether an image is in the sample.
func (s imageSampler) hasImage(image string) bool {
	return s.all || xxhash.Sum64String(image) < s.below
}

// fitsIn reports whether the sample is a part of a sample of one in share images.
func (s imageSampler) fitsIn(share uint64) bool {
	return share == 1 || !s.all && s.below <= 1<<(64-bits.TrailingZeros64(share))
}

// sampleRows returns the rows of batch whose image is in the sample.
func (s imageSampler) sampleRows(mem memory.Allocator, batch arrow.Record) (arrow.Record, error) {
	keys, err := schemas.Column[*array.String](batch, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	keep := make([]bool, keys.Len())
	for i := range keep {
		keep[i] = s.hasImage(keys.Value(i))
	}
	return schemas.Keep(mem, batch, keep)
}

// samplePicker picks the sampled rows of a shard and numbers their groups. A group is the rows of
// an image that were adjacent in a batch before other rows were dropped.
type samplePicker struct {
	mem     memory.Allocator
	sampler imageSampler
	group   int64
}

// pickGrouped picks rows and adds the column of groups.
func (p *samplePicker) pickGrouped(batch arrow.Record) (arrow.Record, error) {
	images, err := schemas.Column[*array.String](batch, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	groups := array.NewInt64Builder(p.mem)
	defer groups.Release()
	eachImage(images, func(begin, end int) {
		p.group++
		for ; begin < end; begin++ {
			groups.Append(p.group)
		}
	})
	numbered := schemas.Assign(batch, []arrow.Field{schemas.Field(schemas.ColGroup, arrow.PrimitiveTypes.Int64)}, []arrow.Array{groups.NewArray()})
	defer numbered.Release()
	return p.sampler.sampleRows(p.mem, numbered)
}

// pickSample picks rows in the schema of a sample.
func (p *samplePicker) pickSample(batch arrow.Record) (arrow.Record, error) {
	rec, err := p.pickGrouped(batch)
	if err != nil {
		return nil, err
	}
	defer func() { rec.Release() }()
	if !rec.Schema().HasField(schemas.ColSame) {
		none := array.NewListBuilderWithField(p.mem, schemas.SameField().Type.(*arrow.ListType).ElemField())
		defer none.Release()
		for range rec.NumRows() {
			none.Append(true)
		}
		known := schemas.Assign(rec, []arrow.Field{schemas.SameField()}, []arrow.Array{none.NewArray()})
		rec.Release()
		rec = known
	}
	return schemas.Select(rec, schemas.SampleSchema())
}

// maxSampleShards is the number of shards whose samples are read at once.
const maxSampleShards = 16

// eachSampled passes the sampled images of shards to see, in batches and in order. A batch is valid
// until see returns. It reads the samples that the pass tally kept, or graphs/ if they are too
// small.
func eachSampled(ctx context.Context, s imageSampler, r *pipeline.Reducer, see func(batch arrow.Record) error) error {
	for shards := range slices.Chunk(r.Shards, maxSampleShards) {
		samples := make([]shardSample, len(shards))
		g, within := errgroup.WithContext(ctx)
		for i, shard := range shards {
			g.Go(func() (err error) {
				defer panics.Catch(&err)
				return samples[i].readShard(within, s, r, shard.Name)
			})
		}
		err := g.Wait()
		for i := range samples {
			for _, batch := range samples[i].records {
				if err == nil {
					err = see(batch)
				}
			}
			samples[i].release()
		}
		panics.Rethrow(err)
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// shardSample is the sampled rows of a shard, in batches of whole images.
type shardSample struct{ records []arrow.Record }

func (p *shardSample) release() {
	for _, batch := range p.records {
		batch.Release()
	}
}

// readShard reads the rows of a shard.
func (p *shardSample) readShard(ctx context.Context, s imageSampler, r *pipeline.Reducer, shard string) (err error) {
	batches, pick, err := openSampled(s, r, shard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, batches.Close()) }()
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
		parts, err := splitAtGroups(rec)
		if err != nil {
			return err
		}
		p.records = append(p.records, parts...)
	}
	return ctx.Err()
}

// openSampled opens the file with the sampled rows of a shard. It also returns a function that
// selects the rows.
func openSampled(s imageSampler, r *pipeline.Reducer, shard string) (pipeline.Batches, func(arrow.Record) (arrow.Record, error), error) {
	mem := r.Env.Mem
	kept, err := r.Folder.ReadSample(mem, folder.PassTally, shard)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err == nil && s.fitsIn(kept.Share) {
		return kept, func(batch arrow.Record) (arrow.Record, error) { return s.sampleRows(mem, batch) }, nil
	}
	if err == nil {
		if err := kept.Close(); err != nil {
			return nil, nil, err
		}
	}
	batches, err := r.Folder.ReadShard(mem, folder.PassParse, shard, imageColumns())
	p := &samplePicker{mem: mem, sampler: s}
	return batches, p.pickGrouped, err
}

// splitAtGroups splits a batch between adjacent groups of one image. It takes ownership of the
// batch.
func splitAtGroups(rec arrow.Record) ([]arrow.Record, error) {
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
