package images

import (
	"context"
	"image"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

const (
	// otherPixels is how many pixels more may be decoded at one time for each processor
	// beside the first.
	otherPixels = 8_000_000
	// hugePixels are the pixels of an image after which garbage is collected at once.
	hugePixels = 16_000_000
)

// budget bounds the pixels of all images that are decoded at one time, by all decoders: an
// image takes up to 20 bytes a pixel meanwhile.
type budget struct {
	*semaphore.Weighted
	pixels int64
}

func newBudget(processors int) *budget {
	pixels := DefaultMaxPixels + otherPixels*int64(processors-1)
	return &budget{semaphore.NewWeighted(pixels), pixels}
}

var sharedBudget = sync.OnceValue(func() *budget { return newBudget(runtime.GOMAXPROCS(0)) })

// reservePixels waits until an image of that size may be decoded. An image with more pixels than
// there are takes all. release lets others go on, and frees the memory of a huge image.
func (d *Decoder) reservePixels(size image.Point) (release func()) {
	b := sharedBudget()
	if d.budget != nil {
		b = d.budget
	}
	pixels := int64(size.X) * int64(size.Y)
	n := min(pixels, b.pixels)
	if err := b.Acquire(context.Background(), n); err != nil { // n is within the budget
		panic(err)
	}
	return func() {
		if pixels > hugePixels {
			d.pixels.RGBX = nil
			runtime.GC()
		}
		b.Release(n)
	}
}
