package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"capgraph/sources"
)

// maxNeighbourLine bounds a line of the file of neighbours, in bytes.
const maxNeighbourLine = 1 << 20

// neighbourIndex knows the rows of the images that are similar to an image.
type neighbourIndex struct {
	images map[string][]string // similar images, nearest first
	rows   map[string][]int    // the numbers of an image's rows
}

// similarRows returns the rows of the images that are similar to that one: one row of
// each, and not always the first, so that all captions are used.
func (n *neighbourIndex) similarRows(image string) []int {
	var rows []int
	for i, other := range n.images[image] {
		if r := n.rows[other]; len(r) > 0 {
			rows = append(rows, r[i%len(r)])
		}
	}
	return rows
}

// readNeighbours reads the file of neighbours, a line an image: its image key
// and those of similar images, nearest first, separated by tabs. Then it numbers
// the rows as they will be written. It holds the image keys in memory.
func readNeighbours(ctx context.Context, o Options, shards []string) (*neighbourIndex, error) {
	f, err := sources.OpenText(o.Store, o.Neighbours)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n := &neighbourIndex{images: map[string][]string{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxNeighbourLine)
	for at := 1; lines.Scan(); at++ {
		keys := strings.Split(lines.Text(), "\t")
		if len(keys) < 2 {
			return nil, fmt.Errorf("%s, line %d: want an image key and those of its neighbours, separated by tabs", o.Neighbours, at)
		}
		for _, k := range keys[1:] {
			if k != keys[0] && k != "" {
				n.images[keys[0]] = append(n.images[keys[0]], k)
			}
		}
	}
	err = lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%s: a line is longer than %d bytes: %w", o.Neighbours, maxNeighbourLine, err)
	}
	if err != nil {
		return nil, err
	}
	count, order, err := countRows(ctx, o, shards)
	if err != nil {
		return nil, err
	}
	n.keepReachable(count)
	n.rows = map[string][]int{}
	next := 0
	for _, image := range order {
		if count[image] > 0 {
			n.rows[image] = append(n.rows[image], next)
			next++
		}
	}
	return n, nil
}

// countRows counts the rows of each image that have a place in the TSV, and
// lists the image of each of them.
func countRows(ctx context.Context, o Options, shards []string) (count map[string]int, order []string, err error) {
	count = map[string]int{}
	for r, err := range readRows(o.Store, shards) {
		if err := firstError(err, ctx.Err()); err != nil {
			return nil, nil, err
		}
		if _, reason := captionPlace(o, r); reason == "" {
			count[r.ImageKey]++
			order = append(order, r.ImageKey)
		}
	}
	return count, order, nil
}

// keepReachable takes the rows out of count whose image has no neighbour with
// rows, until every image that is left has one.
func (n *neighbourIndex) keepReachable(count map[string]int) {
	for changed := true; changed; {
		changed = false
		for image, rows := range count {
			if rows == 0 {
				continue
			}
			has := false
			for _, other := range n.images[image] {
				has = has || count[other] > 0
			}
			if !has {
				count[image] = 0
				changed = true
			}
		}
	}
}
