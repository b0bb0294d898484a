package stages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// colFar is the column of a batch of graphs that holds, in the first row of an
// image, the captions of it that lie elsewhere: a JSON list, or nothing.
const colFar = "far"

// Whether the captions that lie elsewhere are read with a shard.
const (
	withFar    = true
	withoutFar = false
)

// openGraphs opens a shard of graphs/ for the columns named; far says whether with
// the captions that lie elsewhere.
func openGraphs(f folder.Folder, mem memory.Allocator, shard string, far bool, columns []string) (pipeline.Batches, error) {
	batches, err := f.ReadShard(mem, folder.PassParse, shard, columns, schemas.ColSame)
	if err != nil {
		return nil, err
	}
	if !far {
		return batches, nil
	}
	return addFar(f, mem, shard, batches)
}

// addFar adds the captions that lie elsewhere to the batches of a shard, and takes these over.
func addFar(f folder.Folder, mem memory.Allocator, shard string, batches pipeline.Batches) (pipeline.Batches, error) {
	captions, err := readFar(f, shard)
	if err != nil {
		return nil, errors.Join(err, batches.Close())
	}
	if len(captions) == 0 {
		return batches, nil
	}
	return &farBatches{batches, captions, mem}, nil
}

// farText is a caption that lies elsewhere, as the file has it.
type farText struct {
	hash    uint64 // of the text
	caption string
}

// readFar reads the captions of a shard's images that lie apart, by the hashes that
// these are known by.
func readFar(f folder.Folder, shard string) (map[uint64][]farText, error) {
	all := map[uint64][]farText{}
	for row, err := range f.CountsOf(folder.Reduced(folder.Far), shard) {
		if err != nil {
			return nil, err
		}
		id, rest, err := unhex(row.Key)
		if err != nil {
			return nil, err
		}
		text, caption, err := unhex(rest)
		if err != nil {
			return nil, err
		}
		all[id] = append(all[id], farText{text, caption})
	}
	return all, nil
}

// farBatches adds the column colFar.
type farBatches struct {
	pipeline.Batches
	far map[uint64][]farText
	mem memory.Allocator
}

func (b *farBatches) Next() (arrow.Record, []folder.Reject, error) {
	rec, rejects, err := b.Batches.Next()
	if err != nil {
		return nil, nil, err
	}
	defer rec.Release()
	columns, err := schemas.Strings(rec, schemas.ColImageKey, schemas.ColText)
	if err != nil {
		return nil, nil, err
	}
	images, texts := columns[0], columns[1]
	out := array.NewStringBuilder(b.mem)
	defer out.Release()
	ids := newIDs(rec)
	eachImage(images, func(begin, end int) {
		out.Append(b.of(ids.of(images.Value(begin), begin, end), texts, begin, end))
		for begin++; begin < end; begin++ {
			out.Append("")
		}
	})
	return schemas.Assign(rec, []arrow.Field{schemas.Field(colFar, arrow.BinaryTypes.String)}, []arrow.Array{out.NewArray()}), rejects, nil
}

// of is the list of the captions of the image in those rows that lie elsewhere and
// say what none of the rows does.
func (b *farBatches) of(ids []uint64, texts *array.String, begin, end int) string {
	var own []uint64
	var all []farText
	for _, id := range ids {
		if far := b.far[id]; len(far) > 0 {
			all = append(all, far...)
		}
	}
	if len(all) == 0 {
		return ""
	}
	for i := begin; i < end; i++ {
		own = append(own, xxhash.Sum64String(texts.Value(i)))
	}
	slices.SortFunc(all, func(x, y farText) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.caption, y.caption))
	})
	list, n := []byte("["), 0
	for i, c := range all {
		if i > 0 && c.hash == all[i-1].hash || slices.Contains(own, c.hash) {
			continue
		}
		if n == mostFar {
			break
		}
		if n++; n > 1 {
			list = append(list, ',')
		}
		list = append(list, c.caption...)
	}
	if n == 0 {
		return ""
	}
	return string(append(list, ']'))
}

// elsewhere gives the captions in the column colFar at a row; none where a batch
// has no such column.
func elsewhere(rec arrow.Record) (func(row int) ([]negatives.Caption, error), error) {
	if !rec.Schema().HasField(colFar) {
		return func(int) ([]negatives.Caption, error) { return nil, nil }, nil
	}
	column, err := schemas.Column[*array.String](rec, colFar)
	if err != nil {
		return nil, err
	}
	return func(row int) ([]negatives.Caption, error) {
		if column.Value(row) == "" {
			return nil, nil
		}
		var all []farCaption
		if err := json.Unmarshal([]byte(column.Value(row)), &all); err != nil {
			return nil, fmt.Errorf("captions that lie elsewhere: %w", err)
		}
		captions := make([]negatives.Caption, len(all))
		for i, c := range all {
			captions[i] = negatives.Caption{Text: c.Text, Tokens: c.Tokens, Graph: c.Graph}
		}
		return captions, nil
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
