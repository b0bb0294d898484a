package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/counts"
	"capgraph/internal/plural"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// Scattered tells how many images have rows in the shards of graphs/ that do
// not follow each other, and names some: their negatives are not checked
// against all of their captions. scratch is as counts.Repeats has it.
func Scattered(ctx context.Context, f pipeline.Folder, shards []pipeline.Shard, scratch func() (store.Temp, error)) (n int64, some []counts.Repeat, err error) {
	rows := int64(0)
	for _, s := range shards {
		rows += s.Rows
	}
	return counts.Repeats(rows, scratch, func(see func(string, counts.Place)) error {
		last, file := "", -1
		for _, s := range shards {
			if s.File != file {
				last, file = "", s.File
			}
			var err error
			if last, err = eachRun(ctx, f, s.Name, last, see); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachRun gives the image and the place of the first of all rows of a shard
// that follow each other with one image, but those that go on with the last
// image of the shard before; it returns the last of this one.
func eachRun(ctx context.Context, f pipeline.Folder, shard, last string, see func(image string, at counts.Place)) (string, error) {
	batches, err := f.ReadShard(memory.NewGoAllocator(), PassParse, Graphs, shard, []string{schemas.ColImageKey})
	if err != nil {
		return "", err
	}
	defer batches.Close()
	row := int64(0)
	for ctx.Err() == nil {
		rec, _, err := batches.Next()
		if errors.Is(err, io.EOF) {
			return last, nil
		}
		if err != nil {
			return "", err
		}
		images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
		if err != nil {
			rec.Release()
			return "", err
		}
		for i := range images.Len() {
			if image := images.Value(i); image != last {
				see(image, counts.Place{Shard: shard, Row: row})
				last = image
			}
			row++
		}
		last = strings.Clone(last)
		rec.Release()
	}
	return "", ctx.Err()
}

// countScattered puts the number of scattered images, if there are any, among
// the figures of a pass.
func countScattered(ctx context.Context, r *pipeline.Reducer) error {
	n, _, err := Scattered(ctx, r.Folder, r.Shards, func() (store.Temp, error) { return r.Folder.Scratch("images") })
	if n > 0 {
		r.Stat(statScattered, n)
	}
	return err
}

const statScattered = "images_not_adjacent"

// warnScattered says what countScattered found.
func warnScattered(stats map[string]int64) string {
	n := stats[statScattered]
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s captions that are not adjacent, and their negatives may be true of them: sort the source by image and index anew with --redo index ('capgraph verify' names some)", n, plural.Of(n, "image has", "images have"))
}
