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
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// The kinds of the rows that are gathered of split images. Keys begin with the hash of the image.
// For kindCaption a mark follows: the captions, then the shards that contain the image. A
// kindRunBegin row counts one run of adjacent rows, a kindCut row one cut of an image into groups.
const (
	kindCaption  = "far"
	markCaption  = "c" // sorts before markShard
	markShard    = "s"
	kindRunBegin = "begins"
	kindCut      = "cut"
)

// gatherCaptions is a task: it gathers the captions of possibly split images from the shards of a
// group. Shards without such an image are not read.
func (t *mergeTree) gatherCaptions(ctx context.Context, r *pipeline.Reducer, group int) error {
	shards := t.countedShards(r, group)
	again, has, err := findMaybeSplit(r, shards)
	if err != nil {
		return err
	}
	sorted := r.NewSorter()
	defer sorted.Discard()
	for i, s := range shards {
		if !has[i] {
			continue
		}
		g := captionGatherer{maybeSplit: again, shard: s, out: sorted}
		if g.before, err = t.lastImageBefore(r, s); err != nil {
			return err
		}
		if err := g.gatherShard(ctx, r); err != nil {
			return err
		}
	}
	out, err := t.newPartitionRuns(r, stepGather, group)
	if err != nil {
		return err
	}
	rows, err := sorted.Rows(ctx)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = out[t.partitionOf("", row.Key[:hashDigits])].Add(row)
		}
		if err != nil {
			return err
		}
	}
	return closeRuns(out)
}

// findMaybeSplit returns the hashes, sorted, of the images of some shards that may be split, and
// which of the shards contain one.
func findMaybeSplit(r *pipeline.Reducer, shards []folder.Shard) (again []uint64, has []bool, err error) {
	of := make([][]uint64, len(shards)) // sorted
	for i, s := range shards {
		for row, err := range r.Folder.ReadCountsOfKind(folder.CountsFile(folder.PassTally, s.Name), kindImage) {
			if err != nil {
				return nil, nil, err
			}
			id, _, err := parseHash(row.Key)
			if err != nil {
				return nil, nil, err
			}
			of[i] = append(of[i], id)
		}
	}
	has = make([]bool, len(shards))
	for row, err := range r.ReadRun(runFound, kindMaybeSplit) {
		if err != nil {
			return nil, nil, err
		}
		id, _, err := parseHash(row.Key)
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

// lastImageBefore returns the image of the last row before a shard in the same file, or "".
func (t *mergeTree) lastImageBefore(r *pipeline.Reducer, s folder.Shard) (string, error) {
	at := slices.IndexFunc(r.Shards, func(o folder.Shard) bool { return o.Name == s.Name })
	for at--; at >= 0 && r.Shards[at].File == s.File; at-- {
		image, err := r.Folder.LastImageKey(r.Shards[at].Name)
		if image != "" || err != nil {
			return image, err
		}
	}
	return "", nil
}

// captionGatherer sends the captions of a shard's possibly split images to be sorted by image.
type captionGatherer struct {
	maybeSplit []uint64
	shard      folder.Shard
	before     string // the previous image; empty at the beginning of a file
	rows       int    // adjacent rows of the previous image in this shard
	out        *pipeline.Sorter
}

func (g *captionGatherer) gatherShard(ctx context.Context, r *pipeline.Reducer) error {
	batches, err := openGraphs(r.Folder, r.Env.Mem, g.shard.Name, imageColumns())
	if err != nil {
		return err
	}
	first := true
	return eachBatch(batches, func(rec arrow.Record) (bool, error) {
		all, err := imagesOf(rec, nil, false)
		if err != nil {
			return false, err
		}
		ids, row := newImageIDs(rec), 0
		for image := range all {
			known := ids.idsOfRows(image.Key, row, row+len(image.Captions))
			row += len(image.Captions)
			if err := g.countRuns(known[0], image, first); err != nil {
				return false, err
			}
			first = false
			if err := g.addCaptions(image, known); err != nil {
				return false, err
			}
		}
		return true, ctx.Err()
	})
}

// countRuns counts the runs of adjacent rows of an image, and the cuts. first is set for the first
// image of the shard.
func (g *captionGatherer) countRuns(id uint64, image *negatives.Image, first bool) error {
	goesOn := image.Key == g.before
	if !goesOn {
		g.before, g.rows = strings.Clone(image.Key), 0
	}
	g.rows += len(image.Captions)
	if _, found := slices.BinarySearch(g.maybeSplit, id); !found {
		return nil
	}
	if !goesOn {
		if err := g.out.Add(kindRunBegin, formatHash(id), 1); err != nil {
			return err
		}
	}
	if goesOn && first || g.rows > folder.MaxImageRows {
		return g.out.Add(kindCut, formatHash(id), 1)
	}
	return nil
}

// addCaptions sends the captions of an image under each hash that it shares with other rows.
func (g *captionGatherer) addCaptions(image *negatives.Image, known []uint64) error {
	var shared []string
	for _, id := range known {
		if _, found := slices.BinarySearch(g.maybeSplit, id); found {
			shared = append(shared, formatHash(id))
		}
	}
	if len(shared) == 0 {
		return nil
	}
	for i := range image.Captions {
		c := &image.Captions[i]
		caption, err := json.Marshal(captionJSON{c.Text, c.Tokens, c.Graph})
		if err != nil {
			return err
		}
		text := formatHash(xxhash.Sum64String(c.Text))
		for _, id := range shared {
			if err := g.out.Add(kindCaption, id+markCaption+text+string(caption), 1); err != nil {
				return err
			}
		}
	}
	for _, id := range shared {
		if err := g.out.Add(kindCaption, id+markShard+g.shard.Name, 1); err != nil {
			return err
		}
	}
	return nil
}

// maxSplitCaptions is the maximum number of captions of a split image that are kept: those with the
// lowest hashes of their texts, so that the result does not depend on how the corpus is sharded.
const maxSplitCaptions = negatives.MostElsewhere

// captionJSON is a caption as it is written in the file.
type captionJSON struct {
	Text   string
	Tokens []schemas.Token
	Graph  schemas.SceneGraph
}

// hashDigits is the number of hexadecimal digits of a hash.
const hashDigits = 16

// formatHash returns a hash in hexadecimal digits.
func formatHash(hash uint64) string {
	const of = "0123456789abcdef"
	var b [hashDigits]byte
	for i := range b {
		b[i] = of[hash>>(4*(hashDigits-1-i))&15]
	}
	return string(b[:])
}

// parseHash reads the hash at the beginning of a key, and returns the rest of the key.
func parseHash(key string) (hash uint64, rest string, err error) {
	if len(key) < hashDigits {
		return 0, "", fmt.Errorf("%q is not a key of a caption", key)
	}
	hash, err = strconv.ParseUint(key[:hashDigits], 16, 64)
	return hash, key[hashDigits:], err
}

// distributeCaptions is a task: it copies the gathered captions of one partition of the split
// images to the shards that contain these images, and counts the images.
func (t *mergeTree) distributeCaptions(ctx context.Context, r *pipeline.Reducer, partition int) error {
	ofShards := r.NewSorter()
	defer ofShards.Discard()
	var captions []string // of the image at hand, from the hash of the text on
	image, last := "", ""
	left, scattered, cut := int64(0), int64(0), int64(0)
	for row, err := range r.MergeRuns(ctx, runNames(stepGather, 0, t.rounds[0], partition)) {
		if err != nil {
			return err
		}
		switch row.Kind {
		case kindRunBegin:
			if row.N > 1 {
				scattered++
			}
			continue
		case kindCut:
			cut++
			continue
		}
		id, mark, rest := row.Key[:hashDigits], row.Key[hashDigits:hashDigits+1], row.Key[hashDigits+1:]
		if id != image {
			image, last, captions = id, "", captions[:0]
		}
		if mark == markCaption {
			text := rest[:hashDigits]
			switch {
			case text == last: // of the same words
			case len(captions) == maxSplitCaptions:
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
				return err
			}
		}
	}
	for name, n := range map[string]int64{statNotAdjacent: scattered, statCut: cut, statLeftOut: left} {
		if n > 0 {
			r.AddStat(name, n)
		}
	}
	return writeSorted(ctx, r, runName(stepDistribute, 0, partition), ofShards)
}

// writeSplitCaptions merges the captions that all partitions copied to the shards.
func (m mergeOptions) writeSplitCaptions(ctx context.Context, r *pipeline.Reducer) error {
	isSplit, err := hasSplitImages(r)
	if err != nil {
		return err
	}
	var names []string
	for p := 0; isSplit && p < m.newTree(r.Index).partitions; p++ {
		names = append(names, runName(stepDistribute, 0, p))
	}
	return r.WriteCounts(folder.Far, r.MergeRuns(ctx, names))
}
