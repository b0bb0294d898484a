package verify

import (
	"errors"
	"fmt"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/text"
	"capgraph/stages"
)

// noteSplitImages adds a note for each image whose rows in graphs/ are split: they are not
// adjacent, or there are too many for one group.
func (c *check) noteSplitImages() error {
	apart, err := stages.FindSplitImages(c.ctx, c.folder, c.finishedShards(folder.PassParse, anyShard), c.options.Workers, c.options.Scratch)
	if full := new(counts.ScratchError); errors.As(err, &full) {
		return err
	}
	if err != nil { // the check graphs reports the error of a shard
		return c.ctx.Err()
	}
	where, remedy := c.folder.Path(folder.PassParse.Output()), "a negative of one caption may be said by another, and an epoch draws each part as an image of its own, unless you sort the source by image and index it anew with --redo index"
	for _, r := range apart.SomeNotAdjacent {
		c.addNote(where, remedy, "the rows of image %q are not adjacent: they begin at row %d of shard %s and again at row %d of shard %s",
			r.Key, r.First.Row, r.First.Shard, r.Second.Row, r.Second.Shard)
	}
	if more := apart.NotAdjacent - int64(len(apart.SomeNotAdjacent)); more > 0 {
		c.addNote(where, remedy, "and %d more %s", more, text.Plural(more, "image", "images"))
	}
	remedy = "keep fewer captions of it in the source, and index anew with --redo index"
	for _, r := range apart.SomeCut {
		why := fmt.Sprintf("since it has more than %d adjacent captions", folder.MaxImageRows)
		if r.Rows <= folder.MaxImageRows {
			why = fmt.Sprintf("since it had more than %d adjacent captions and some were rejected, or its source changed after it was indexed", folder.MaxImageRows)
		}
		c.addNote(where, remedy, "image %q is cut, %s: %d rows, from row %d of shard %s to row %d of shard %s",
			r.Image, why, r.Rows, r.First.Row, r.First.Shard, r.Last.Row, r.Last.Shard)
	}
	if more := apart.Cut - int64(len(apart.SomeCut)); more > 0 {
		c.addNote(where, remedy, "and %d more %s cut", more, text.Plural(more, "image is", "images are"))
	}
	return nil
}
