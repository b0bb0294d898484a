package stages

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

const (
	// leastSampled is how many rows of the source at least the samples of all shards are of;
	// they are of less than twice as many.
	leastSampled = 128 << 10
	// leastShare is the least that a sample is a part of: a corpus of less than so many times
	// leastSampled rows is read whole, and no sample of it kept.
	leastShare = 4
)

// sampling keeps the rows of one of 2^n images of a corpus, in all shards the same: those whose
// image key has a hash that begins with n bits of 0. least is as leastSampled.
type sampling struct{ least int64 }

// of says which rows of a corpus are kept; nil where it is small.
func (s sampling) of(x *folder.Index) *pipeline.Sample {
	share := max(rowsOf(x.Shards), 1) / s.least
	if share < leastShare {
		return nil
	}
	n := bits.Len64(uint64(share)) - 1
	return &pipeline.Sample{
		Share: 1 << n, Schema: schemas.SampleSchema(),
		Picker: func(mem memory.Allocator) func(arrow.Record) (arrow.Record, error) {
			p := &picker{mem: mem, from: sampler{below: 1 << (64 - n)}}
			return p.pickSample
		},
	}
}

// sampler takes images by the hash of their key alone, so that the sample depends neither
// on how the corpus is cut or sorted nor on a seed, and a smaller one is a part of a larger.
type sampler struct {
	below uint64
	all   bool
}

// takes tells whether an image is in the sample.
func (s sampler) takes(image string) bool { return s.all || xxhash.Sum64String(image) < s.below }

// within tells whether it is a part of one of so many images.
func (s sampler) within(share uint64) bool {
	return share == 1 || !s.all && s.below <= 1<<(64-bits.TrailingZeros64(share))
}

// from returns the rows of batch whose image is in the sample.
func (s sampler) from(mem memory.Allocator, batch arrow.Record) (arrow.Record, error) {
	keys, err := schemas.Column[*array.String](batch, schemas.ColImageKey)
	if err != nil {
		return nil, err
	}
	keep := make([]bool, keys.Len())
	for i := range keep {
		keep[i] = s.takes(keys.Value(i))
	}
	return schemas.Keep(mem, batch, keep)
}

// picker picks the rows of a shard's sample, and numbers their groups: the rows of an image that
// were together in a batch, before others were left out between them.
type picker struct {
	mem   memory.Allocator
	from  sampler
	group int64
}

// pick adds the column of groups.
func (p *picker) pick(batch arrow.Record) (arrow.Record, error) {
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
	return p.from.from(p.mem, numbered)
}

// pickSample picks rows in the schema of a sample.
func (p *picker) pickSample(batch arrow.Record) (arrow.Record, error) {
	rec, err := p.pick(batch)
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
