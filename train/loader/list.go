package loader

import (
	"context"
	"fmt"
	"iter"

	"capgraph/scenegraph"
	"capgraph/store"
)

// item is an image at its place in the order, with the epoch of its draws, and a
// similar image, which is nil where there is none.
type item struct {
	*image
	epoch   uint64
	partner *image
}

// list gives the images of shards, pass after pass without an end: permuted, in
// windows. It is used by one goroutine.
type list struct {
	store       store.Store
	seed        uint64
	number      int // among the lists
	shards      []shard
	images      int // of a pass
	window      int
	replacement bool
	neighbours  *Neighbours
	graphs      bool

	pass, at int    // the place of the next image
	items    []item // of the window that it lies in, nil before it is read
	reader   reader
}

// reader goes over the images of a pass.
type reader struct {
	pass, at int // the place of the next image
	next     func() (*rows, error, bool)
	stop     func()
}

// draw is that of what the pass does not say with a key.
func (l *list) draw(pass int) scenegraph.Draw {
	return scenegraph.Draw{Seed: l.seed, Epoch: uint64(pass)}
}

// seek makes the image at a place, counted over all passes, the next one.
func (l *list) seek(place int) {
	pass, at := place/l.images, place%l.images
	if pass != l.pass || at/l.window != l.at/l.window {
		l.items = nil
	}
	l.pass, l.at = pass, at
}

// take gives the next image.
func (l *list) take(ctx context.Context) (item, error) {
	if l.items == nil {
		if err := l.readWindow(ctx); err != nil {
			return item{}, err
		}
	}
	it := l.items[l.at%l.window]
	l.at++
	if l.at%l.window == 0 || l.at == l.images {
		l.items = nil
	}
	if l.at == l.images {
		l.pass, l.at = l.pass+1, 0
	}
	return it, nil
}

// readWindow reads the window that the next image lies in.
func (l *list) readWindow(ctx context.Context) error {
	number := l.at / l.window
	first := number * l.window
	n := min(l.window, l.images-first)
	order := windowOrder(l.draw(l.pass), l.number, number, n, l.replacement)
	places := make([][]int, n) // of each image of the window
	for place, i := range order {
		places[i] = append(places[i], place)
	}
	if err := l.readFrom(ctx, first); err != nil {
		return err
	}
	items := make([]item, n)
	left := windowBytes(l.window)
	for i := range n {
		rows, err := l.read(ctx)
		if err != nil {
			return err
		}
		for k, place := range places[i] {
			epoch := uint64(l.pass) + uint64(k)*repeat
			items[place] = item{image: rows.take(l.seed, epoch), epoch: epoch}
			if left -= items[place].bytes; left < 0 {
				return fmt.Errorf("%s: the texts of %d images, which are shuffled together, have more than %d MiB: set a smaller data.shuffle, or a smaller clean.max_chars when texts are made",
					rows.shard.path, n, windowBytes(l.window)>>20)
			}
		}
	}
	if l.neighbours != nil {
		if err := l.addPartners(ctx, items); err != nil {
			return err
		}
	}
	l.items = items
	return nil
}

// windowBytes bounds the texts of a window of so many images, which are in memory: 64 KiB
// an image and more than that of few.
func windowBytes(images int) int { return max(leastWindow, images<<16) }

const leastWindow = 256 << 20

// readFrom makes the image at a place of the pass the next one that is read.
func (l *list) readFrom(ctx context.Context, at int) error {
	r := &l.reader
	if r.next != nil && r.pass == l.pass && r.at == at {
		return nil
	}
	l.close()
	shards := shardOrder(l.draw(l.pass), l.number, len(l.shards))
	r.pass, r.at = l.pass, 0
	for len(shards) > 0 && r.at+l.shards[shards[0]].images <= at {
		r.at += l.shards[shards[0]].images
		shards = shards[1:]
	}
	r.next, r.stop = iter.Pull2(l.all(shards))
	for r.at < at {
		if _, err := l.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// read gives the next image, valid until the one after.
func (l *list) read(ctx context.Context) (*rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err, _ := l.reader.next()
	l.reader.at++
	return rows, err
}

// all gives the images of shards, by their numbers. It is an error that one has
// not as many as were counted.
func (l *list) all(shards []int) iter.Seq2[*rows, error] {
	return func(yield func(*rows, error) bool) {
		for _, i := range shards {
			s, n := &l.shards[i], 0
			for rows, err := range readShard(l.store, s, l.graphs) {
				if n++; err == nil && n > s.images {
					break
				}
				if !yield(rows, err) || err != nil {
					return
				}
			}
			if n != s.images {
				yield(nil, fmt.Errorf("%s: it had %d images when the training began, and has others now: begin again", s.path, s.images))
				return
			}
		}
	}
}

// close frees what the list reads from.
func (l *list) close() {
	if l.reader.stop != nil {
		l.reader.stop()
	}
	l.reader = reader{}
}
