package stages

import (
	"context"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
)

// Run is an image's rows that follow each other: how many, and the first and
// the last of them.
type Run struct {
	Image       string
	Rows        int64
	First, Last schemas.RowRef
}

// cut tells whether the rows are more than are kept together.
func (r *Run) cut() bool { return r.Rows > folder.MaxImageRows || r.First.Shard != r.Last.Shard }

// imageBefore is the image of the row before a shard's first, in the same file; empty
// where there is none.
func imageBefore(f folder.Folder, shards []folder.Shard, i int) (image string, err error) {
	for before := i - 1; before >= 0 && shards[before].File == shards[i].File && image == "" && err == nil; before-- {
		image, err = f.LastImage(shards[before].Name)
	}
	return image, err
}

// shardRuns are the runs of a shard: the first and the last, which may go on in others, and those that
// are cut of the rest.
type shardRuns struct {
	before      string // the image that the first row may go on with
	see         func(image string, at schemas.RowRef)
	first, last Run // one where there is no other; of no rows where there is none
	many        bool
	cut         int64
	some        []Run
}

func (r *shardRuns) add(image string, at schemas.RowRef) {
	if r.last.Rows > 0 && image == r.last.Image {
		r.last.Rows++
		r.last.Last = at
		return
	}
	if r.last.Rows > 0 || image != r.before {
		r.see(image, at)
	}
	switch {
	case r.last.Rows == 0:
	case !r.many:
		r.first, r.many = r.last, true
		r.first.Image = strings.Clone(r.first.Image)
	case r.last.cut():
		if r.cut++; len(r.some) < mostCut {
			run := r.last
			run.Image = strings.Clone(run.Image)
			r.some = append(r.some, run)
		}
	}
	r.last = Run{image, 1, at, at}
}

// read adds the rows of a shard.
func (r *shardRuns) read(ctx context.Context, f folder.Folder, shard string) error {
	row := int64(0)
	return eachRecord(ctx, f, memory.NewGoAllocator(), shard, []string{schemas.ColImageKey}, func(columns []*array.String) {
		for i := range columns[0].Len() {
			r.add(columns[0].Value(i), schemas.RowRef{Shard: shard, Row: row})
			row++
		}
		r.last.Image = strings.Clone(r.last.Image) // which was the batch's
	})
}
