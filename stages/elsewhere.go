package stages

import (
	"errors"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// colFar is the column of a batch of graphs that has, in each row, the number of its shard in
// farShards.
const colFar = "far"

// openGraphs opens a shard of graphs/ for the columns named.
func openGraphs(f folder.Folder, mem memory.Allocator, shard string, columns []string) (pipeline.Batches, error) {
	return f.ReadShard(mem, folder.PassParse, shard, columns, schemas.ColSame)
}

// farShards are the shards that are being read and have captions that lie elsewhere. They are
// numbered, since a batch can name its shard but cannot hold what is shared by all batches.
type farShards struct {
	// scratch makes files for captions that are too many for memory; nil keeps all in memory.
	scratch           func() (store.Temp, error)
	mostRaw, mostSaid int // bytes of a shard, as the constants say

	mu   sync.Mutex
	open map[int64]*farShard
	last int64
}

func newFarShards(scratch func() (store.Temp, error)) *farShards {
	return &farShards{scratch: scratch, mostRaw: mostRaw, mostSaid: mostSaid, open: map[int64]*farShard{}}
}

// openFar opens a shard of graphs/ with the captions that lie elsewhere.
func (s *farShards) openFar(f folder.Folder, mem memory.Allocator, shard string, columns []string) (pipeline.Batches, error) {
	batches, err := openGraphs(f, mem, shard, columns)
	if err != nil {
		return nil, err
	}
	return s.add(f, mem, shard, batches)
}

// add adds the captions that lie elsewhere to the batches of a shard, and takes these over.
func (s *farShards) add(f folder.Folder, mem memory.Allocator, shard string, batches pipeline.Batches) (pipeline.Batches, error) {
	far, err := s.read(f, shard)
	if err != nil {
		return nil, errors.Join(err, batches.Close())
	}
	if far == nil {
		return batches, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.open[s.last] = far
	return &farBatches{batches, s, s.last, mem}, nil
}

func (s *farShards) at(number int64) *farShard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[number]
}

// farBatches adds the column colFar. What it gives is to be used before it is closed.
type farBatches struct {
	pipeline.Batches
	shards *farShards
	number int64
	mem    memory.Allocator
}

func (b *farBatches) Next() (arrow.Record, []folder.Reject, error) {
	rec, rejects, err := b.Batches.Next()
	if err != nil {
		return nil, nil, err
	}
	defer rec.Release()
	out := array.NewInt64Builder(b.mem)
	defer out.Release()
	for range rec.NumRows() {
		out.Append(b.number)
	}
	return schemas.Assign(rec, []arrow.Field{schemas.Field(colFar, arrow.PrimitiveTypes.Int64)}, []arrow.Array{out.NewArray()}), rejects, nil
}

func (b *farBatches) Close() error {
	b.shards.mu.Lock()
	far := b.shards.open[b.number]
	delete(b.shards.open, b.number)
	b.shards.mu.Unlock()
	return errors.Join(b.Batches.Close(), far.close())
}

// elsewhere is negatives.Image.Elsewhere of an image.
type elsewhere = func(*negatives.Generator) (*negatives.Elsewhere, error)

// of gives what captions say that lie elsewhere than the rows from begin to before end of a
// batch, which are of an image; nil if there are none.
func (s *farShards) of(rec arrow.Record) (func(image string, begin, end int) elsewhere, error) {
	none := func(string, int, int) elsewhere { return nil }
	if s == nil || rec.NumRows() == 0 || !rec.Schema().HasField(colFar) {
		return none, nil
	}
	column, err := schemas.Column[*array.Int64](rec, colFar)
	if err != nil {
		return nil, err
	}
	far, ids := s.at(column.Value(0)), newIDs(rec)
	if far == nil {
		return nil, errors.New("a batch is used after its shard was closed")
	}
	return func(image string, begin, end int) elsewhere {
		known := ids.of(image, begin, end)
		if !slices.ContainsFunc(known, far.has) {
			return nil
		}
		known = slices.Clone(known)
		return func(g *negatives.Generator) (*negatives.Elsewhere, error) { return far.said(g, image, known) }
	}, nil
}

// ids tells by what the images of a batch are known.
type ids struct {
	same *array.List // nil where nothing is said of it
	all  []uint64
}

func newIDs(rec arrow.Record) *ids {
	if !rec.Schema().HasField(schemas.ColSame) {
		return &ids{}
	}
	same, _ := schemas.Column[*array.List](rec, schemas.ColSame)
	return &ids{same: same}
}

// of are the hashes that the image in those rows is known by, that of its key first.
// They are valid until the next call.
func (k *ids) of(image string, begin, end int) []uint64 {
	k.all = append(k.all[:0], xxhash.Sum64String(image))
	for i := begin; i < end && k.same != nil; i++ {
		from, to := k.same.ValueOffsets(i)
		for _, h := range k.same.ListValues().(*array.Int64).Int64Values()[from:to] {
			if !slices.Contains(k.all, uint64(h)) {
				k.all = append(k.all, uint64(h))
			}
		}
	}
	return k.all
}
