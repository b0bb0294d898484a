package loader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"capgraph/scenegraph"
	"capgraph/store"
)

// Nearest is how many of an image's neighbours one is drawn of (NegCLIP, App. A:
// K = 3).
const Nearest = 3

// maxNeighbourLine bounds a line of the file of neighbours, in bytes.
const maxNeighbourLine = 1 << 20

// ErrNoNeighbour is why an image has no partner where its neighbours name none, or
// one without texts.
var ErrNoNeighbour = errors.New("no similar image has texts")

// Neighbours knows the images that are similar to an image.
type Neighbours struct {
	nearest map[string][]string
}

// readNeighbours reads the file of that name.
func readNeighbours(s store.Store, name string) (*Neighbours, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := ReadNeighbours(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// ReadNeighbours reads a line an image: its image key and those of similar images,
// nearest first, separated by tabs. The first Nearest of them are kept in memory.
// An image of two lines has those of the first. Errors name the line.
func ReadNeighbours(r io.Reader) (*Neighbours, error) {
	n := &Neighbours{nearest: map[string][]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxNeighbourLine)
	at := 0
	for lines.Scan() {
		at++
		key, others, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("line %d: want an image key and those of its neighbours, separated by tabs", at)
		}
		if _, twice := n.nearest[key]; !twice {
			n.nearest[key] = nearest(key, others)
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("line %d is longer than %d bytes: %w", at+1, maxNeighbourLine, err)
	}
	return n, err
}

// nearest are the first keys of a list that are not the image's own.
func nearest(own, others string) []string {
	var keys []string
	for key := range strings.SplitSeq(others, "\t") {
		if key != own && key != "" && len(keys) < Nearest {
			keys = append(keys, strings.Clone(key))
		}
	}
	return keys
}

// draw draws one of an image's neighbours; "" where it has none.
func (n *Neighbours) draw(d scenegraph.Draw, imageKey string) string {
	keys := n.nearest[imageKey]
	if len(keys) == 0 {
		return ""
	}
	numbers := d.Random("neighbour", imageKey)
	return keys[numbers.IntN(len(keys))]
}

// addPartners gives the items of a window a similar image each. Those that are
// not in the window are read in one pass over all shards.
func (l *list) addPartners(ctx context.Context, items []item) error {
	wanted := map[string]*image{}
	partner := make([]string, len(items))
	for i := range items {
		d := scenegraph.Draw{Seed: l.seed, Epoch: items[i].epoch}
		if partner[i] = l.neighbours.draw(d, items[i].imageKey); partner[i] != "" {
			wanted[partner[i]] = nil
		}
	}
	for i := range items { // those that are in memory
		if found, is := wanted[items[i].imageKey]; is && found == nil && items[i].epoch == uint64(l.pass) {
			wanted[items[i].imageKey] = items[i].image
		}
	}
	if err := l.readImages(ctx, wanted); err != nil {
		return err
	}
	for i := range items {
		items[i].partner = wanted[partner[i]]
	}
	return nil
}

// readImages reads those images that are wanted and not there yet, as the pass
// draws them.
func (l *list) readImages(ctx context.Context, wanted map[string]*image) error {
	missing := 0
	for _, found := range wanted {
		if found == nil {
			missing++
		}
	}
	for i := 0; missing > 0 && i < len(l.shards); i++ {
		for rows, err := range l.all([]int{i}) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			key := rows.rows[0].ImageKey
			if found, is := wanted[key]; is && found == nil {
				img := rows.take(l.seed, uint64(l.pass))
				wanted[img.imageKey] = img
				missing--
			}
		}
	}
	return nil
}
