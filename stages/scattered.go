package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/plural"
	"capgraph/schemas"
	"capgraph/store"
)

// Apart are the images whose captions are not all together where a negative is
// checked against them: how many have rows that do not follow each other, how
// many have more than are kept together, and some of each.
type Apart struct {
	Scattered     int64
	SomeScattered []counts.Repeat
	Cut           int64
	SomeCut       []Run
}

// rowsOf is how many rows the source has of shards, rejects among them.
func rowsOf(shards []folder.Shard) int64 {
	rows := int64(0)
	for _, s := range shards {
		rows += s.Rows
	}
	return rows
}

// Run is an image's rows that follow each other: how many, and the first and
// the last of them.
type Run struct {
	Image       string
	Rows        int64
	First, Last counts.Place
}

// mostCut is how many images are named that are cut.
const mostCut = 5

// ImagesApart looks for such images in shards of graphs/. scratch is as
// counts.Repeats has it.
func ImagesApart(ctx context.Context, f folder.Folder, shards []folder.Shard, scratch func() (store.Temp, error)) (Apart, error) {
	var apart Apart
	var err error
	apart.Scattered, apart.SomeScattered, err = counts.Repeats(rowsOf(shards), scratch, func(see func(string, counts.Place)) error {
		r := runs{see: see}
		err := r.of(ctx, f, shards)
		apart.Cut, apart.SomeCut = r.cut, r.some
		return err
	})
	return apart, err
}

// runs finds the runs of images, has see told of each, and counts those that
// are cut. same, where it is not nil, is told what else images are known by, once a
// run, and of those that are cut the hash of their key once more.
type runs struct {
	see  func(image string, at counts.Place)
	same func(id uint64)
	went func(rows int64) // nil, or told how many rows were gone over
	ids  []uint64         // that same was told of in the run under way
	run  Run              // under way
	cut  int64
	some []Run
}

// of goes over the rows of shards.
func (r *runs) of(ctx context.Context, f folder.Folder, shards []folder.Shard) error {
	file := -1
	for _, s := range shards {
		if s.File != file {
			r.end()
			file = s.File
		}
		if err := r.read(ctx, f, s.Name); err != nil {
			return err
		}
	}
	r.end()
	return nil
}

func (r *runs) add(image string, at counts.Place) {
	if r.run.Rows == 0 || image != r.run.Image {
		r.end()
		r.see(image, at)
		r.run = Run{Image: image, First: at}
	}
	r.run.Rows++
	r.run.Last = at
}

func (r *runs) end() {
	if r.run.Rows > folder.MaxImageRows || r.run.First.Shard != r.run.Last.Shard {
		if r.cut++; len(r.some) < mostCut {
			r.run.Image = strings.Clone(r.run.Image)
			r.some = append(r.some, r.run)
		}
		if r.same != nil {
			r.same(xxhash.Sum64String(r.run.Image))
		}
	}
	r.run, r.ids = Run{}, r.ids[:0]
}

// also tells same of what the run under way is known by.
func (r *runs) also(ids []uint64) {
	for _, id := range ids {
		if r.same != nil && !slices.Contains(r.ids, id) {
			r.ids = append(r.ids, id)
			r.same(id)
		}
	}
}

// read adds the rows of a shard.
func (r *runs) read(ctx context.Context, f folder.Folder, shard string) error {
	batches, err := openGraphs(f, memory.NewGoAllocator(), shard, withoutFar, []string{schemas.ColImageKey})
	if err != nil {
		return err
	}
	defer batches.Close()
	row := int64(0)
	for ctx.Err() == nil {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
		if err != nil {
			rec.Release()
			return err
		}
		known := newIDs(rec)
		for i := range images.Len() {
			r.add(images.Value(i), counts.Place{Shard: shard, Row: row})
			r.also(known.of("", i, i+1)[1:])
			row++
		}
		r.run.Image = strings.Clone(r.run.Image) // which was the batch's
		if r.went != nil {
			r.went(rec.NumRows())
		}
		rec.Release()
	}
	return ctx.Err()
}

const (
	statScattered = "images_not_adjacent"
	statCut       = "images_cut"
	statFarLeft   = "far_captions_left_out"
)

// warnApart says which images have more captions that lie apart than are compared.
func warnApart(stats map[string]int64) string {
	var said []string
	if n := stats[statCut]; n > 0 {
		said = append(said, fmt.Sprintf("%d %s more than %d adjacent captions, which are cut into groups", n, plural.Of(n, "image has", "images have"), folder.MaxImageRows))
	}
	if n := stats[statFarLeft]; n > 0 {
		said = append(said, fmt.Sprintf("%d %s beyond the %d of an image that are compared with those that lie elsewhere", n, plural.Of(n, "caption is", "captions are"), mostFar))
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, "; ") + ": a negative of one caption may be said by another; keep fewer captions of an image and index anew with --redo index ('capgraph verify' names some)"
}

// CountedApart is how many images the pass count of a folder found apart; none
// where that cannot be told.
func CountedApart(f folder.Folder) int64 {
	e, err := f.Entry(folder.PassCount, folder.Whole)
	if err != nil {
		return 0
	}
	return e.Stats[statScattered] + e.Stats[statCut]
}
