package stages

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// known counts what rows and images are known by, and assigns nothing: what comes twice
// over all shards is found by adding up.
type known struct{}

// Process implements pipeline.Stage.
func (known) Process(_ context.Context, in arrow.Record, report *pipeline.Report) (arrow.Record, error) {
	columns, err := schemas.Strings(in, schemas.ColKey, schemas.ColImageKey, schemas.ColText)
	if err != nil {
		return nil, err
	}
	keys, texts, ids := columns[0], columns[2], newIDs(in)
	for i := range keys.Len() {
		report.Count(kindKey, hex(xxhash.Sum64String(keys.Value(i))), 1)
	}
	eachImage(columns[1], func(begin, end int) {
		n := int64(1)
		size := texts.ValueOffset(end) - texts.ValueOffset(begin)
		if end-begin > folder.MaxImageRows || size >= folder.MaxImageBytes {
			n = 2 // it is apart from itself
		}
		for _, id := range ids.of(columns[1].Value(begin), begin, end) {
			report.Count(kindImage, hex(id), n)
		}
	})
	in.Retain()
	return in, nil
}

// eachImage gives the rows of each image of a batch, from begin to before end.
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
