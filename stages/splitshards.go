package stages

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// colSplitShard is the column of a batch of graphs that holds, in each row, the number of its shard
// in splitShards.
const colSplitShard = "far"

// openGraphs opens some columns of a shard of graphs/.
func openGraphs(f folder.Folder, mem memory.Allocator, shard string, columns []string) (pipeline.Batches, error) {
	return f.ReadShard(mem, folder.PassParse, shard, columns, schemas.ColSame)
}

// splitShards are the open shards that contain split images: images that also have captions in
// other places of the corpus. They are numbered, since a batch can name its shard but cannot hold
// state that all batches share.
type splitShards struct {
	// scratch makes files for captions that do not fit in memory; nil keeps all in memory.
	scratch                      func() (store.Temp, error)
	maxStoredBytes, maxReadBytes int // limits of one shard; see the constants

	mu   sync.Mutex
	open map[int64]*splitShard
	last int64
}

func newSplitShards(scratch func() (store.Temp, error)) *splitShards {
	return &splitShards{scratch: scratch, maxStoredBytes: maxStoredBytes, maxReadBytes: maxReadBytes, open: map[int64]*splitShard{}}
}

// openShard opens a shard of graphs/ with the other captions of its split images.
func (s *splitShards) openShard(f folder.Folder, mem memory.Allocator, shard string, columns []string) (pipeline.Batches, error) {
	batches, err := openGraphs(f, mem, shard, columns)
	if err != nil {
		return nil, err
	}
	return s.addCaptions(f, mem, shard, batches)
}

// addCaptions adds the other captions of split images to the batches of a shard. It takes ownership
// of batches.
func (s *splitShards) addCaptions(f folder.Folder, mem memory.Allocator, shard string, batches pipeline.Batches) (pipeline.Batches, error) {
	split, err := s.readShard(f, shard)
	if err != nil {
		return nil, errors.Join(err, batches.Close())
	}
	if split == nil {
		return batches, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.open[s.last] = split
	return &splitBatches{batches, s, s.last, mem}, nil
}

// shardByNumber returns an open shard, or nil after it was closed.
func (s *splitShards) shardByNumber(number int64) *splitShard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[number]
}

// splitBatches adds the column colSplitShard to batches. Its batches must be used before it is
// closed.
type splitBatches struct {
	pipeline.Batches
	shards *splitShards
	number int64
	mem    memory.Allocator
}

func (b *splitBatches) Next() (arrow.Record, []folder.Reject, error) {
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
	return schemas.Assign(rec, []arrow.Field{schemas.Field(colSplitShard, arrow.PrimitiveTypes.Int64)}, []arrow.Array{out.NewArray()}), rejects, nil
}

func (b *splitBatches) Close() error {
	b.shards.mu.Lock()
	split := b.shards.open[b.number]
	delete(b.shards.open, b.number)
	b.shards.mu.Unlock()
	return errors.Join(b.Batches.Close(), split.closeFile())
}

// readElsewhere reads what the other captions of a split image say: negatives.Image.Elsewhere.
type readElsewhere = func(*negatives.Generator) (*negatives.Elsewhere, error)

// otherCaptions returns a function that, for the rows begin to end-1 of one image in rec, gives a
// reader of the image's other captions, or nil if it has none.
func (s *splitShards) otherCaptions(rec arrow.Record) (func(image string, begin, end int) readElsewhere, error) {
	none := func(string, int, int) readElsewhere { return nil }
	if s == nil || rec.NumRows() == 0 || !rec.Schema().HasField(colSplitShard) {
		return none, nil
	}
	column, err := schemas.Column[*array.Int64](rec, colSplitShard)
	if err != nil {
		return nil, err
	}
	split, ids := s.shardByNumber(column.Value(0)), newImageIDs(rec)
	if split == nil {
		return nil, errors.New("a batch is used after its shard was closed")
	}
	return func(image string, begin, end int) readElsewhere {
		known := ids.idsOfRows(image, begin, end)
		if !slices.ContainsFunc(known, split.hasImage) {
			return nil
		}
		known = slices.Clone(known)
		return func(g *negatives.Generator) (*negatives.Elsewhere, error) { return split.readOnce(g, image, known) }
	}, nil
}

// imageIDs computes the hashes that identify the images of a batch.
type imageIDs struct {
	same *array.List // nil if the batch has no such column
	all  []uint64
}

func newImageIDs(rec arrow.Record) *imageIDs {
	if !rec.Schema().HasField(schemas.ColSame) {
		return &imageIDs{}
	}
	same, _ := schemas.Column[*array.List](rec, schemas.ColSame)
	return &imageIDs{same: same}
}

// idsOfRows returns the hashes that identify the image of rows begin to end-1; the hash of its key
// comes first. The slice is valid until the next call.
func (k *imageIDs) idsOfRows(image string, begin, end int) []uint64 {
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

const (
	// maxStoredBytes is how many bytes of the other captions of a shard are held in memory, as the
	// file has them. More are held in a scratch file.
	maxStoredBytes = 16 << 20
	// maxReadBytes is how many bytes of parsed captions are kept, and as many again of those that
	// were not used since. That is enough for a shard of default size in which every image is
	// split. Beyond it, the least recently used captions are read again.
	maxReadBytes = 64 << 20
)

// splitShard holds the other captions of the split images of one shard. What they say is computed
// once for all rows of an image.
type splitShard struct {
	captions captionStore
	images   map[uint64]captionSpan // by the hashes that identify images

	mu                          sync.Mutex
	recent, older               map[string]*splitImage // by the key of the image and all its hashes; the older half of the cache is older
	recentBytes, maxRecentBytes int                    // bytes of recent, and their limit
}

// captionSpan is the range of bytes of a captionStore that holds the captions of an image.
type captionSpan struct{ offset, size int64 }

// splitImage is what the other captions of a split image say.
type splitImage struct {
	once sync.Once
	said *negatives.Elsewhere
	err  error

	bytes int // size of said, 0 until it is made; guarded by splitShard.mu
}

// storedCaption is a caption as the file has it, and the hash of its text.
type storedCaption struct {
	hash    uint64
	caption []byte
}

// readShard reads the other captions of a shard's split images; nil if there are none.
func (of *splitShards) readShard(f folder.Folder, shard string) (*splitShard, error) {
	s := &splitShard{
		captions: captionStore{scratch: of.scratch, maxMemory: int64(of.maxStoredBytes)},
		images:   map[uint64]captionSpan{}, recent: map[string]*splitImage{}, maxRecentBytes: of.maxReadBytes,
	}
	err := s.readCaptions(f, shard)
	if err != nil || len(s.images) == 0 {
		return nil, errors.Join(err, s.closeFile())
	}
	return s, nil
}

func (s *splitShard) readCaptions(f folder.Folder, shard string) error {
	for row, err := range f.ReadCountsOfKind(folder.ReducedFile(folder.Far), shard) {
		if err != nil {
			return err
		}
		id, rest, err := parseHash(row.Key)
		if err != nil {
			return err
		}
		hash, caption, err := parseHash(rest)
		if err != nil {
			return err
		}
		span, known := s.images[id]
		if !known {
			span.offset = s.captions.size
		}
		if err := s.captions.addCaption(hash, caption); err != nil {
			return err
		}
		span.size = s.captions.size - span.offset
		s.images[id] = span
	}
	return s.captions.finishWriting()
}

// scratchFiles returns a function that makes scratch files for captions in a folder.
func scratchFiles(f folder.Folder) func() (store.Temp, error) {
	return func() (store.Temp, error) { return f.CreateScratch("far") }
}

func (s *splitShard) closeFile() error { return s.captions.removeFile() }

// hasImage reports whether the image with that hash has other captions.
func (s *splitShard) hasImage(id uint64) bool {
	_, has := s.images[id]
	return has
}

// readOnce returns what the other captions say of the image that these hashes identify.
func (s *splitShard) readOnce(g *negatives.Generator, image string, ids []uint64) (*negatives.Elsewhere, error) {
	key := []byte(image)
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint64(key, id)
	}
	of := s.cachedImage(string(key))
	of.once.Do(func() {
		of.err = errors.New("the other captions of a split image could not be read") // if it panics
		of.said, of.err = s.readImage(g, image, ids)
		if of.err == nil {
			s.addToCache(of)
		}
	})
	return of.said, of.err
}

// cachedImage returns the cache entry of a key, which may be new.
func (s *splitShard) cachedImage(key string) *splitImage {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.recent[key]
	if of != nil {
		return of
	}
	if of = s.older[key]; of == nil {
		of = new(splitImage)
	}
	s.recent[key] = of
	s.recentBytes += of.bytes
	return of
}

// addToCache counts an entry that was made, and drops the older half of a full cache.
func (s *splitShard) addToCache(of *splitImage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of.bytes = of.said.Bytes()
	if s.recentBytes += of.bytes; s.recentBytes > s.maxRecentBytes {
		s.older, s.recent, s.recentBytes = s.recent, map[string]*splitImage{}, 0
	}
}

// readImage reads the captions of an image and makes what they say.
func (s *splitShard) readImage(g *negatives.Generator, image string, ids []uint64) (*negatives.Elsewhere, error) {
	var all []storedCaption
	for _, id := range ids {
		texts, err := s.captions.readSpan(s.images[id])
		if err != nil {
			return nil, err
		}
		all = append(all, texts...)
	}
	slices.SortFunc(all, func(x, y storedCaption) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), slices.Compare(x.caption, y.caption))
	})
	all = slices.CompactFunc(all, func(x, y storedCaption) bool { return x.hash == y.hash })
	hashes := make([]uint64, len(all))
	for i := range all {
		hashes[i] = all[i].hash
	}
	return g.ReadElsewhere(image, hashes, func(i int) (negatives.Caption, error) {
		var c captionJSON
		if err := json.Unmarshal(all[i].caption, &c); err != nil {
			return negatives.Caption{}, fmt.Errorf("the other captions of a split image: %w", err)
		}
		return negatives.Caption{Text: c.Text, Tokens: c.Tokens, Graph: c.Graph}, nil
	})
}
