package loader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"capgraph/schemas/drawing"
	"capgraph/store"
)

// Nearest is the number of nearest neighbours from which one is drawn (NegCLIP, App. A: K = 3).
const Nearest = 3

// maxNeighbourLine is the maximum length of a line in the file of neighbours, in bytes.
const maxNeighbourLine = 1 << 20

// ErrNoNeighbour is the PartnerErr of an image without neighbours, or whose drawn neighbour has no texts.
var ErrNoNeighbour = errors.New("no similar image has texts")

// Neighbours has the keys of similar images for each image.
type Neighbours struct {
	nearest map[string][]string
}

// readNeighbours reads a file of neighbours.
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

// ReadNeighbours reads a file with a line for each image: its image key and the keys of similar images, the nearest
// first, separated by tabs. It keeps the first Nearest of them. If an image has two lines, the first one is used.
// Errors name the line.
func ReadNeighbours(r io.Reader) (*Neighbours, error) {
	n := &Neighbours{nearest: map[string][]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxNeighbourLine)
	number := 0
	for lines.Scan() {
		number++
		key, others, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("line %d: want an image key and those of its neighbours, separated by tabs", number)
		}
		if _, twice := n.nearest[key]; !twice {
			n.nearest[key] = nearestKeys(key, others)
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("line %d is longer than %d bytes: %w", number+1, maxNeighbourLine, err)
	}
	return n, err
}

// nearestKeys returns the first Nearest keys of the tab-separated list others, without own.
func nearestKeys(own, others string) []string {
	var keys []string
	for key := range strings.SplitSeq(others, "\t") {
		if key != own && key != "" && len(keys) < Nearest {
			keys = append(keys, strings.Clone(key))
		}
	}
	return keys
}

// drawNeighbour draws and returns the key of one of an image's neighbours, or "" if it has none.
func (n *Neighbours) drawNeighbour(d drawing.Draw, imageKey string) string {
	keys := n.nearest[imageKey]
	if len(keys) == 0 {
		return ""
	}
	numbers := d.Random("neighbour", imageKey)
	return keys[numbers.IntN(len(keys))]
}

// addPartners sets the partner of each item of a window to a similar image. Images outside the window are read in
// one pass over all shards.
func (l *imageStream) addPartners(ctx context.Context, items []item) error {
	wanted := map[string]*image{}
	partner := make([]string, len(items))
	for i := range items {
		d := drawing.Draw{Seed: l.seed, Epoch: items[i].epoch}
		if partner[i] = l.neighbours.drawNeighbour(d, items[i].imageKey); partner[i] != "" {
			wanted[partner[i]] = nil
		}
	}
	for i := range items { // use images of the window, which are in memory
		if found, isWanted := wanted[items[i].imageKey]; isWanted && found == nil && items[i].epoch == uint64(l.pass) {
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

// readImages reads the images of wanted that are nil, with the rows that the pass draws.
func (l *imageStream) readImages(ctx context.Context, wanted map[string]*image) error {
	missing := 0
	for _, found := range wanted {
		if found == nil {
			missing++
		}
	}
	for i := 0; missing > 0 && i < len(l.shards); i++ {
		for rows, err := range l.readShards([]int{i}) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			key := rows.rows[0].ImageKey
			if found, isWanted := wanted[key]; isWanted && found == nil {
				img := rows.drawImage(l.seed, uint64(l.pass))
				wanted[img.imageKey] = img
				missing--
			}
		}
	}
	return nil
}
