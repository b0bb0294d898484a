package stages

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
)

// The kinds of what is gathered of images whose rows may lie apart, by the hash that they
// are known by. Of their captions and the shards that have them: the marks after that
// hash. Where their rows begin that follow each other, and images that are cut.
const (
	kindFar     = "far"
	markCaption = "c" // which come first
	markShard   = "s"
	kindBegins  = "begins"
	kindCut     = "cut"
)

// gather is a task: it gathers the captions of images that may lie apart from the shards
// of a group, and reads those alone that have one.
func (t *tree) gather(ctx context.Context, r *pipeline.Reducer, group int) error {
	shards := t.members(r, group)
	again, has, err := apartIn(r, shards)
	if err != nil {
		return err
	}
	sorted := r.NewSorter()
	defer sorted.Discard()
	for i, s := range shards {
		if !has[i] {
			continue
		}
		g := gatherer{again: again, shard: s, out: sorted}
		if g.before, err = t.lastImage(r, s); err != nil {
			return err
		}
		if err := g.gather(ctx, r); err != nil {
			return err
		}
	}
	out, err := t.newRuns(r, stepGather, group)
	if err != nil {
		return err
	}
	rows, err := sorted.Rows(ctx)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = out[t.partitionOf("", row.Key[:digits])].Add(row)
		}
		if err != nil {
			return err
		}
	}
	return closeAll(out)
}

// apartIn are the hashes, sorted, by which images of some shards are known that may lie
// apart, and which shards have one.
func apartIn(r *pipeline.Reducer, shards []folder.Shard) (again []uint64, has []bool, err error) {
	of := make([][]uint64, len(shards)) // sorted
	for i, s := range shards {
		for row, err := range r.Folder.CountsOf(folder.Counts(folder.PassTally, s.Name), kindImage) {
			if err != nil {
				return nil, nil, err
			}
			id, _, err := unhex(row.Key)
			if err != nil {
				return nil, nil, err
			}
			of[i] = append(of[i], id)
		}
	}
	has = make([]bool, len(shards))
	for row, err := range r.RunOf(runFound, kindApart) {
		if err != nil {
			return nil, nil, err
		}
		id, _, err := unhex(row.Key)
		if err != nil {
			return nil, nil, err
		}
		here := false
		for i := range of {
			if _, found := slices.BinarySearch(of[i], id); found {
				has[i], here = true, true
			}
		}
		if here {
			again = append(again, id)
		}
	}
	return again, has, nil
}

// lastImage is the image of the last row before a shard, in the same file; empty where
// there is none.
func (t *tree) lastImage(r *pipeline.Reducer, s folder.Shard) (string, error) {
	at := slices.IndexFunc(r.Shards, func(o folder.Shard) bool { return o.Name == s.Name })
	for at--; at >= 0 && r.Shards[at].File == s.File; at-- {
		image, err := r.Folder.LastImage(r.Shards[at].Name)
		if image != "" || err != nil {
			return image, err
		}
	}
	return "", nil
}

// gatherer sends the captions of a shard's images that may lie apart to be sorted by
// image.
type gatherer struct {
	again  []uint64
	shard  folder.Shard
	before string // the image before, empty where the file begins
	rows   int    // that follow each other, of the image before, in this shard
	out    *pipeline.Sorter
}

func (g *gatherer) gather(ctx context.Context, r *pipeline.Reducer) error {
	batches, err := openGraphs(r.Folder, r.Env.Mem, g.shard.Name, imageColumns())
	if err != nil {
		return err
	}
	first := true
	return eachBatch(batches, func(rec arrow.Record) (bool, error) {
		all, err := images(rec, nil, false)
		if err != nil {
			return false, err
		}
		ids, row := newIDs(rec), 0
		for image := range all {
			known := ids.of(image.Key, row, row+len(image.Captions))
			row += len(image.Captions)
			if err := g.count(known[0], image, first); err != nil {
				return false, err
			}
			first = false
			if err := g.add(image, known); err != nil {
				return false, err
			}
		}
		return true, ctx.Err()
	})
}

// count counts where the rows of an image begin, and whether it is cut. first says that
// the image is the first of its shard.
func (g *gatherer) count(id uint64, image *negatives.Image, first bool) error {
	goesOn := image.Key == g.before
	if !goesOn {
		g.before, g.rows = strings.Clone(image.Key), 0
	}
	g.rows += len(image.Captions)
	if _, found := slices.BinarySearch(g.again, id); !found {
		return nil
	}
	if !goesOn {
		if err := g.out.Add(kindBegins, hex(id), 1); err != nil {
			return err
		}
	}
	if goesOn && first || g.rows > folder.MaxImageRows {
		return g.out.Add(kindCut, hex(id), 1)
	}
	return nil
}

// add sends the captions of an image under all that it shares with others.
func (g *gatherer) add(image *negatives.Image, known []uint64) error {
	var shared []string
	for _, id := range known {
		if _, found := slices.BinarySearch(g.again, id); found {
			shared = append(shared, hex(id))
		}
	}
	if len(shared) == 0 {
		return nil
	}
	for i := range image.Captions {
		c := &image.Captions[i]
		caption, err := json.Marshal(farCaption{c.Text, c.Tokens, c.Graph})
		if err != nil {
			return err
		}
		text := hex(xxhash.Sum64String(c.Text))
		for _, id := range shared {
			if err := g.out.Add(kindFar, id+markCaption+text+string(caption), 1); err != nil {
				return err
			}
		}
	}
	for _, id := range shared {
		if err := g.out.Add(kindFar, id+markShard+g.shard.Name, 1); err != nil {
			return err
		}
	}
	return nil
}
