package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"capgraph/sources"
)

// maxNeighbourLine bounds a line of the file of neighbours, in bytes.
const maxNeighbourLine = 1 << 20

// neighbourIndex finds rows of images that are similar to a given one.
type neighbourIndex struct {
	images map[string][]string // from an image to similar images, nearest first
	rows   map[string][]int    // from an image to the numbers of its rows
}

// similarRows returns one row of each image that is similar to image. Of the i-th similar image it
// is the i-th row, counted in a circle, so that all captions are used.
func (n *neighbourIndex) similarRows(image string) []int {
	var rows []int
	for i, other := range n.images[image] {
		if r := n.rows[other]; len(r) > 0 {
			rows = append(rows, r[i%len(r)])
		}
	}
	return rows
}

// readNeighbours reads the file of neighbours and numbers the rows as they will be written. A line of the file has an image key and the keys of similar images, nearest first, separated by tabs. All image
// keys are held in memory.
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
	n.dropWithoutNeighbours(count)
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

// countRows returns how many rows of each image fit the TSV, and the image of each of these rows in
// order.
func countRows(ctx context.Context, o Options, shards []string) (count map[string]int, order []string, err error) {
	count = map[string]int{}
	o.cut = nil // negatives are counted later, when they are written
	for r, err := range readRows(o, shards) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, nil, err
		}
		if _, reason := imageOrReason(o, r); reason == "" {
			count[r.ImageKey]++
			order = append(order, r.ImageKey)
		}
	}
	return count, order, nil
}

// dropWithoutNeighbours sets count to 0 for images that have no neighbour with rows. It repeats that until
// each remaining image has such a neighbour.
func (n *neighbourIndex) dropWithoutNeighbours(count map[string]int) {
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
