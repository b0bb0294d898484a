package stages

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"

	"capgraph/clean/curate"
	"capgraph/folder"
	"capgraph/negatives/vocabulary"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// tallyPass builds the pass that counts what each shard of graphs/ contains.
func (b *passBuilder) tallyPass() *pipeline.Pass {
	dedupe := b.config.Dedupe
	return &pipeline.Pass{
		Name: folder.PassTally, Summary: "count the contents of graphs, shard by shard",
		Settings: tallySettings{dedupe}, Version: tallyVersion(dedupe),
		Sample: sampleSize{minSampleRows}.chooseSample,
		Reads:  tallyColumns(),
		Open: func(_ context.Context, env pipeline.Env, _ *folder.Index, s folder.Shard) (pipeline.Batches, error) {
			return b.out.ReadShard(env.Mem, folder.PassParse, s.Name, tallyColumns(), schemas.ColSame)
		},
		Stages: []pipeline.Spec{
			{
				Name: "sign", Summary: "count the buckets in which duplicates meet",
				Requires: dedupeColumns(),
				New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return dedupeSigner{dedupe}, nil },
			},
			{
				Name: "known", Summary: "count the keys of rows and images",
				Requires: []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText},
				New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return identityCounter{}, nil },
			},
			{
				Name: "tally", Summary: "count the objects, attributes and relations of the vocabulary",
				Requires: imageColumns(),
				New:      func(context.Context, pipeline.Env) (pipeline.Stage, error) { return vocabularyCounter{}, nil },
			},
		},
	}
}

// tallySettings are the settings that the counts of a shard depend on.
type tallySettings struct {
	Dedupe string `yaml:"dedupe"`
}

// tallyVersion returns the version of the code that counts.
func tallyVersion(mode string) string { return tallyCodeVersion + " " + countVersion(mode) }

// tallyColumns returns the columns of graphs/ that the pass tally reads.
func tallyColumns() []string {
	return append(imageColumns(), schemas.ColSource, schemas.ColSourceRow)
}

// tallyCodeVersion is the version of the code that counts and samples graphs.
const tallyCodeVersion = "tally/3"

// vocabularyCounter counts the objects, attributes and relations of graphs. It assigns nothing.
type vocabularyCounter struct{}

// Process implements pipeline.Stage.
func (vocabularyCounter) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	all, err := imagesOf(in, false)
	if err != nil {
		return nil, err
	}
	counter := vocabulary.NewCounter()
	for image := range all {
		counter.CountImage(image.Captions, report.AddCount)
	}
	in.Retain()
	return in, nil
}

// dedupeSigner counts the keys of which duplicates have one in common. It assigns nothing.
type dedupeSigner struct{ mode string }

func dedupeColumns() []string {
	return []string{schemas.ColText, schemas.ColSource, schemas.ColSourceRow, schemas.ColKey}
}

// Process implements pipeline.Stage.
func (s dedupeSigner) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, schemas.ColText, schemas.ColSource, schemas.ColKey)
	if err != nil {
		return nil, err
	}
	rows, err := schemas.Column[*array.Int64](in, schemas.ColSourceRow)
	if err != nil {
		return nil, err
	}
	for i := range int(in.NumRows()) {
		curate.EachKey(s.mode, columns[0].Value(i), columns[1].Value(i), rows.Value(i), columns[2].Value(i), report.AddCount)
	}
	in.Retain()
	return in, nil
}

// identityCounter counts the hashes of row keys and of images, and assigns nothing. Keys and images
// that occur in several shards have counts above 1 after merging.
type identityCounter struct{}

// Process implements pipeline.Stage.
func (identityCounter) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, schemas.ColKey, schemas.ColImageKey, schemas.ColText)
	if err != nil {
		return nil, err
	}
	keys, texts, ids := columns[0], columns[2], newImageIDs(in)
	for i := range keys.Len() {
		report.AddCount(kindKey, formatHash(xxhash.Sum64String(keys.Value(i))), 1)
	}
	eachImage(columns[1], func(begin, end int) {
		n := int64(1)
		size := texts.ValueOffset(end) - texts.ValueOffset(begin)
		if end-begin > folder.MaxImageRows || size >= folder.MaxImageBytes {
			n = 2 // so many rows are divided into groups
		}
		for _, id := range ids.idsOfRows(columns[1].Value(begin), begin, end) {
			report.AddCount(kindImage, formatHash(id), n)
		}
	})
	in.Retain()
	return in, nil
}

// eachImage calls see for each image of a batch, with its rows begin to end-1.
func eachImage(images *array.String, see func(begin, end int)) {
	for begin := 0; begin < images.Len(); {
		end := begin + 1
		for end < images.Len() && images.Value(end) == images.Value(begin) {
			end++
		}
		see(begin, end)
		begin = end
	}
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

// idsOfRows returns the hashes that identify the image of rows begin to end-1. The hash of the
// image's key comes first. The slice is valid until the next call.
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

// hashDigits is the number of hexadecimal digits of a hash.
const hashDigits = 16

// formatHash returns a hash in hexadecimal digits.
func formatHash(hash uint64) string {
	const of = "0123456789abcdef"
	var b [hashDigits]byte
	for i := range b {
		b[i] = of[hash>>(4*(hashDigits-1-i))&15]
	}
	return string(b[:])
}
