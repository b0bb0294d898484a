package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

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
// are cut.
type runs struct {
	see  func(image string, at counts.Place)
	run  Run // under way
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
	}
	r.run = Run{}
}

// read adds the rows of a shard.
func (r *runs) read(ctx context.Context, f folder.Folder, shard string) error {
	batches, err := f.ReadShard(memory.NewGoAllocator(), folder.PassParse, shard, []string{schemas.ColImageKey})
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
		for i := range images.Len() {
			r.add(images.Value(i), counts.Place{Shard: shard, Row: row})
			row++
		}
		r.run.Image = strings.Clone(r.run.Image) // which was the batch's
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
