package loader

import (
	"context"
	"fmt"
	"iter"

	"capgraph/schemas/drawing"
	"capgraph/store"
)

// item is an image in the order of a stream. epoch is the epoch of its draws; partner is a similar image
// or nil.
type item struct {
	*image
	epoch   uint64
	partner *image
}

// imageStream returns the images of shards, shuffled within windows, in endless passes. It is used
// by one goroutine.
type imageStream struct {
	store       store.Store
	seed        uint64
	number      int // index among the streams
	shards      []shard
	images      int // number of images of a pass
	window      int
	replacement bool
	neighbours  *Neighbours
	with        rowParts

	pass, index int    // pass of the next image, and its place in the pass
	items       []item // the window of the next image; nil before it is read
	reader      passReader
}

// passReader reads the images of a pass in the order of the shards.
type passReader struct {
	pass, index int // pass of the next image, and its place in the pass
	next        func() (*imageRows, error, bool)
	stop        func()
}

// passDraw returns the drawing.Draw that determines the order of a pass.
func (l *imageStream) passDraw(pass int) drawing.Draw {
	return drawing.Draw{Seed: l.seed, Epoch: uint64(pass)}
}

// seek moves the stream to the image at a place, which is counted over all passes.
func (l *imageStream) seek(place int) {
	pass, at := place/l.images, place%l.images
	if pass != l.pass || at/l.window != l.index/l.window {
		l.items = nil
	}
	l.pass, l.index = pass, at
}

// nextItem returns the next image.
func (l *imageStream) nextItem(ctx context.Context) (item, error) {
	if l.items == nil {
		if err := l.readWindow(ctx); err != nil {
			return item{}, err
		}
	}
	it := l.items[l.index%l.window]
	l.index++
	if l.index%l.window == 0 || l.index == l.images {
		l.items = nil
	}
	if l.index == l.images {
		l.pass, l.index = l.pass+1, 0
	}
	return it, nil
}

// readWindow sets l.items to the window that contains the next image.
func (l *imageStream) readWindow(ctx context.Context) error {
	number := l.index / l.window
	first := number * l.window
	n := min(l.window, l.images-first)
	order := windowOrder(l.passDraw(l.pass), l.number, number, n, l.replacement)
	places := make([][]int, n) // for each image, its places in the shuffled window
	for place, i := range order {
		places[i] = append(places[i], place)
	}
	if err := l.seekReader(ctx, first); err != nil {
		return err
	}
	items := make([]item, n)
	left := maxWindowBytes(l.window)
	for i := range n {
		rows, err := l.nextRows(ctx)
		if err != nil {
			return err
		}
		for k, place := range places[i] {
			epoch := uint64(l.pass) + uint64(k)*repeatEpochStep
			items[place] = item{image: rows.drawImage(l.seed, epoch), epoch: epoch}
			if left -= items[place].bytes; left < 0 {
				return fmt.Errorf("%s: the texts of %d images, which are shuffled together, have more than %d MiB: set a smaller data.shuffle, or a smaller clean.max_chars when texts are made",
					rows.shard.path, n, maxWindowBytes(l.window)>>20)
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

// maxWindowBytes returns the maximum size of the texts of a window, which are in memory: 64 KiB per
// image, and at least minWindowBytes.
func maxWindowBytes(images int) int { return max(minWindowBytes, images<<16) }

const minWindowBytes = 256 << 20

// seekReader moves the reader to the image at a place of the pass.
func (l *imageStream) seekReader(ctx context.Context, at int) error {
	r := &l.reader
	if r.next != nil && r.pass == l.pass && r.index == at {
		return nil
	}
	l.close()
	shards := shardOrder(l.passDraw(l.pass), l.number, len(l.shards))
	r.pass, r.index = l.pass, 0
	for len(shards) > 0 && r.index+l.shards[shards[0]].images <= at {
		r.index += l.shards[shards[0]].images
		shards = shards[1:]
	}
	r.next, r.stop = iter.Pull2(l.readShards(shards))
	for r.index < at {
		if _, err := l.nextRows(ctx); err != nil {
			return err
		}
	}
	return nil
}

// nextRows returns the rows of the next image in the order of the shards, valid until the next
// call.
func (l *imageStream) nextRows(ctx context.Context) (*imageRows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err, _ := l.reader.next()
	l.reader.index++
	return rows, err
}

// readShards yields the images of the shards with these indices. It is an error if a shard does not
// have as many images as were counted.
func (l *imageStream) readShards(shards []int) iter.Seq2[*imageRows, error] {
	return func(yield func(*imageRows, error) bool) {
		for _, i := range shards {
			s, n := &l.shards[i], 0
			all, absent := s.images+len(s.absent), s.absent
			for rows, err := range readShard(l.store, s, l.with) {
				if n++; err == nil && n > all {
					break
				}
				if err == nil && len(absent) > 0 && absent[0] == n-1 {
					absent = absent[1:]
					continue
				}
				if !yield(rows, err) || err != nil {
					return
				}
			}
			if n != all {
				yield(nil, fmt.Errorf("%s: it had %d images when the training began, and has others now: begin again", s.path, all))
				return
			}
		}
	}
}

// close closes the files that the stream reads.
func (l *imageStream) close() {
	if l.reader.stop != nil {
		l.reader.stop()
	}
	l.reader = passReader{}
}
