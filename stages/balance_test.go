package stages

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/schemas"
)

// The sample is about as large as asked for, has images whole, and is the same
// however the corpus is cut.
func TestSampleIsOfWholeImagesHoweverTheyAreCut(t *testing.T) {
	const captions, wanted = 20000, 5000
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for i := range captions {
		b.Append(fmt.Sprint("image ", i/5))
	}
	column := b.NewArray()
	defer column.Release()
	rec := array.NewRecord(arrow.NewSchema([]arrow.Field{schemas.Field(schemas.ColImageKey, arrow.BinaryTypes.String)}, nil), []arrow.Array{column}, captions)
	defer rec.Release()

	taken := func(s imageSampler, rows int64) map[string]int {
		images := map[string]int{}
		for at := int64(0); at < captions; at += rows {
			part := rec.NewSlice(at, min(at+rows, captions))
			sample, err := s.sampleRows(memory.DefaultAllocator, part)
			if err != nil {
				t.Fatal(err)
			}
			keys := sample.Column(0).(*array.String)
			for i := range keys.Len() {
				images[keys.Value(i)]++
			}
			sample.Release()
			part.Release()
		}
		return images
	}
	whole, cut := taken(newSampler(wanted, captions), captions), taken(newSampler(wanted, captions), 35)
	if n := 5 * len(whole); n < wanted*8/10 || n > wanted*12/10 {
		t.Errorf("the sample has %d captions, %d were asked for", n, wanted)
	}
	if len(whole) != len(cut) {
		t.Errorf("%d images in one batch, %d in many", len(whole), len(cut))
	}
	for image, n := range whole {
		if n != 5 || cut[image] != 5 {
			t.Errorf("%s has %d captions in one batch and %d in many, want 5", image, n, cut[image])
		}
	}
	if all := taken(newSampler(captions, captions), captions); len(all) != captions/5 {
		t.Errorf("a sample as large as the corpus has %d of %d images", len(all), captions/5)
	}
}
