package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
	"capgraph/store"
)

// mostFar is how many captions of an image that lie apart are kept: those with the
// lowest hashes of their texts, so that it does not matter how a corpus is cut.
const mostFar = 1024

// farCaption is a caption as it is written in the file.
type farCaption struct {
	Text   string
	Tokens []schemas.Token
	Graph  schemas.SceneGraph
}

// digits is how many a hash is written in.
const digits = 16

func hex(hash uint64) string { return fmt.Sprintf("%016x", hash) }

// unhex reads what hex wrote at the beginning of a key.
func unhex(key string) (hash uint64, rest string, err error) {
	if len(key) < digits {
		return 0, "", fmt.Errorf("%q is no key of a far caption", key)
	}
	hash, err = strconv.ParseUint(key[:digits], 16, 64)
	return hash, key[digits:], err
}

// gatherFar writes the file of the captions of images that lie apart, and puts what
// it finds of them among the figures of the pass.
func gatherFar(ctx context.Context, r *pipeline.Reducer) error {
	again, cut, err := repeatedIDs(ctx, r)
	if err != nil {
		return err
	}
	ofImages, ofShards := r.NewSorter(), r.NewSorter()
	defer ofImages.Discard()
	defer ofShards.Discard()
	g := gatherer{again: again, once: make([]bool, len(again)), twice: make([]bool, len(again)), out: ofImages}
	if len(again) > 0 {
		if err := g.gather(ctx, r); err != nil {
			return err
		}
	}
	left, err := sortByShard(ctx, ofImages, ofShards)
	if err != nil {
		return err
	}
	for name, n := range map[string]int64{statScattered: g.scattered, statCut: cut, statFarLeft: left} {
		if n > 0 {
			r.Stat(name, n)
		}
	}
	rows, err := ofShards.Rows(ctx)
	if err != nil {
		return err
	}
	return r.WriteCounts(folder.Far, rows)
}

// repeatedIDs are the hashes, sorted, by which more than one run of rows of an image
// is known, and how many runs are cut. They are held in memory, 8 bytes each.
func repeatedIDs(ctx context.Context, r *pipeline.Reducer) (again []uint64, cut int64, err error) {
	captions, err := captionsOf(r)
	if err != nil {
		return nil, 0, err
	}
	scratch := func() (store.Temp, error) { return r.Folder.Scratch("images") }
	r.Step("images", "caption", "captions", captions)
	err = counts.EachRepeated(captions, scratch, func(see func(uint64)) error {
		runs := runs{see: func(image string, _ counts.Place) { see(xxhash.Sum64String(image)) }, same: see, went: r.Advance}
		err := runs.of(ctx, r.Folder, r.Shards)
		cut = runs.cut
		return err
	}, func(id uint64) { again = append(again, id) })
	slices.Sort(again)
	return again, cut, err
}

// captionsOf is how many captions pass parse made of shards.
func captionsOf(r *pipeline.Reducer) (captions int64, err error) {
	for _, s := range r.Shards {
		e, err := r.Folder.Entry(folder.PassParse, s.Name)
		if err != nil {
			return 0, err
		}
		captions += e.RowsOut
	}
	return captions, nil
}

// gatherer sends the captions of images that lie apart to be sorted by image.
type gatherer struct {
	again       []uint64
	once, twice []bool // of again: runs of rows with this image_key
	scattered   int64
	out         *pipeline.Sorter
}

func (g *gatherer) gather(ctx context.Context, r *pipeline.Reducer) error {
	captions, err := captionsOf(r)
	if err != nil {
		return err
	}
	r.Step("images that lie apart", "caption", "captions", captions)
	before, file := "", -1
	for _, s := range r.Shards {
		if s.File != file {
			before, file = "", s.File
		}
		err := eachBatch(r.Folder, r.Env.Mem, s.Name, withoutFar, func(rec arrow.Record) (bool, error) {
			all, err := images(rec, false)
			if err != nil {
				return false, err
			}
			r.Advance(rec.NumRows())
			ids, row := newIDs(rec), 0
			for image, err := range all {
				if err != nil {
					return false, err
				}
				known := ids.of(image.Key, row, row+len(image.Captions))
				row += len(image.Captions)
				g.count(known[0], image.Key != before)
				before = strings.Clone(image.Key)
				if err := g.add(image, known, s.Name); err != nil {
					return false, err
				}
			}
			return true, ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts images whose rows are not adjacent.
func (g *gatherer) count(key uint64, begins bool) {
	at, found := slices.BinarySearch(g.again, key)
	switch {
	case !found || !begins:
	case !g.once[at]:
		g.once[at] = true
	case !g.twice[at]:
		g.twice[at] = true
		g.scattered++
	}
}

// add sends the captions of an image under all that it shares with others.
func (g *gatherer) add(image *negatives.Image, known []uint64, shard string) error {
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
		if err := g.out.Add(kindFar, id+markShard+shard, 1); err != nil {
			return err
		}
	}
	return nil
}

// The kind of what is sorted by image, and the marks after the hash of one: of
// its captions, which come first, and of the shards that have it.
const (
	kindFar     = "far"
	markCaption = "c"
	markShard   = "s"
)

// sortByShard gives each shard the captions of its images, and returns how many
// were left out as their image has too many.
func sortByShard(ctx context.Context, ofImages, ofShards *pipeline.Sorter) (left int64, err error) {
	rows, err := ofImages.Rows(ctx)
	if err != nil {
		return 0, err
	}
	var captions []string // of the image at hand, from the hash of the text on
	image, last := "", ""
	for row, err := range rows {
		if err != nil {
			return 0, err
		}
		id, mark, rest := row.Key[:digits], row.Key[digits:digits+1], row.Key[digits+1:]
		if id != image {
			image, last, captions = id, "", captions[:0]
		}
		if mark == markCaption {
			text := rest[:digits]
			switch {
			case text == last: // of the same words
			case len(captions) == mostFar:
				left++
			default:
				captions = append(captions, rest)
			}
			last = text
			continue
		}
		if len(captions) < 2 { // all say the same
			continue
		}
		for _, c := range captions {
			if err := ofShards.Add(rest, id+c, 1); err != nil {
				return 0, err
			}
		}
	}
	return left, nil
}
