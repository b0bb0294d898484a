package stages

import (
	"context"
	"fmt"
	"strconv"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/schemas"
)

// mostFar is how many captions of an image that lie apart are kept: those with the
// lowest hashes of their texts, so that it does not matter how a corpus is cut.
const mostFar = negatives.MostElsewhere

// farCaption is a caption as it is written in the file.
type farCaption struct {
	Text   string
	Tokens []schemas.Token
	Graph  schemas.SceneGraph
}

// digits is how many a hash is written in.
const digits = 16

func hex(hash uint64) string {
	const of = "0123456789abcdef"
	var b [digits]byte
	for i := range b {
		b[i] = of[hash>>(4*(digits-1-i))&15]
	}
	return string(b[:])
}

// unhex reads what hex wrote at the beginning of a key.
func unhex(key string) (hash uint64, rest string, err error) {
	if len(key) < digits {
		return 0, "", fmt.Errorf("%q is no key of a far caption", key)
	}
	hash, err = strconv.ParseUint(key[:digits], 16, 64)
	return hash, key[digits:], err
}

// sortByShard is a task: of the captions that were gathered of a partition of the images
// that lie apart it gives each shard those of its images, and counts the images.
func (t *tree) sortByShard(ctx context.Context, r *pipeline.Reducer, partition int) error {
	ofShards := r.NewSorter()
	defer ofShards.Discard()
	var captions []string // of the image at hand, from the hash of the text on
	image, last := "", ""
	left, scattered, cut := int64(0), int64(0), int64(0)
	for row, err := range r.Merged(ctx, runsOf(stepGather, 0, t.rounds[0], partition)) {
		if err != nil {
			return err
		}
		switch row.Kind {
		case kindBegins:
			if row.N > 1 {
				scattered++
			}
			continue
		case kindCut:
			cut++
			continue
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
				return err
			}
		}
	}
	for name, n := range map[string]int64{statScattered: scattered, statCut: cut, statFarLeft: left} {
		if n > 0 {
			r.Stat(name, n)
		}
	}
	return writeSorted(ctx, r, runName(stepApart, 0, partition), ofShards)
}

// writeFar merges what the shards were given of all partitions.
func (m merging) writeFar(ctx context.Context, r *pipeline.Reducer) error {
	apart, err := liesApart(r)
	if err != nil {
		return err
	}
	var names []string
	for p := 0; apart && p < m.tree(r.Index).partitions; p++ {
		names = append(names, runName(stepApart, 0, p))
	}
	return r.WriteCounts(folder.Far, r.Merged(ctx, names))
}
