package images

import (
	"context"
	"image"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

const (
	// otherPixels is by how many pixels each processor after the first raises the budget.
	otherPixels = 8_000_000
	// hugePixels is the size of an image above which garbage is collected right after it.
	hugePixels = 16_000_000
)

// budget bounds the pixels of all images that all decoders decode at one time. Decoding takes up to
// 20 bytes a pixel.
type budget struct {
	*semaphore.Weighted
	pixels int64
}

func newBudget(processors int) *budget {
	pixels := DefaultMaxPixels + otherPixels*int64(processors-1)
	return &budget{semaphore.NewWeighted(pixels), pixels}
}

var sharedBudget = sync.OnceValue(func() *budget { return newBudget(runtime.GOMAXPROCS(0)) })

// reservePixels waits until the budget has room for an image of that size. A larger image than the
// whole budget waits for all of it. release returns the pixels to the budget and frees the memory
// of a huge image.
func (d *Decoder) reservePixels(size image.Point) (release func()) {
	b := sharedBudget()
	if d.budget != nil {
		b = d.budget
	}
	pixels := int64(size.X) * int64(size.Y)
	n := min(pixels, b.pixels)
	if err := b.Acquire(context.Background(), n); err != nil { // no error, since n is within the budget
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
