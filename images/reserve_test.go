package images

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"capgraph/images/resize"
	"capgraph/testing/bombs"
	"capgraph/testing/heap"
	"capgraph/testing/longtest"
)

// huge are small files with so many pixels a side.
func huge(t testing.TB, side int) map[string][]byte {
	colours, err := bombs.PNG(side, side, 3)
	if err != nil {
		t.Fatal(err)
	}
	grey, err := bombs.PNG(side, side, 2)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"PNG": colours, "16-bit grey": grey, "JPEG": bombs.JPEG(side, side), "WebP": bombs.WebP(side, side)}
}

// A small file with more pixels than an image may have is refused before memory is taken;
// one with as many as it may have is decoded.
func TestHugeImages(t *testing.T) {
	for name, file := range huge(t, 3000) {
		d := Decoder{MaxPixels: 9_000_000}
		err := d.Decode(file, func(p resize.Pixels) {
			if p.Width != 3000 || p.Height != 3000 {
				t.Errorf("%s: %d × %d pixels", name, p.Width, p.Height)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		d.MaxPixels--
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = d.CentreCrop(file, 224, nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "more than 8999999") {
			t.Errorf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d MB were allocated for an image that is refused", name, n>>20)
		}
	}
}

// Loaders share a budget of pixels: however many there are, as much is decoded at one time
// as the budget has, and a huge image leaves nothing behind with its loader.
func TestLoadersShareABudget(t *testing.T) {
	file, err := bombs.PNG(5000, 4000, 3)
	if err != nil {
		t.Fatal(err)
	}
	shared := newBudget(1)
	shared.Weighted, shared.pixels = newBudget(1).Weighted, DefaultMaxPixels
	if !shared.TryAcquire(DefaultMaxPixels - 25_000_000) { // which leaves one of 20 megapixels
		t.Fatal("the budget is smaller than an image may be")
	}
	decoders := make([]Decoder, 6)
	peak := heap.Peak(func() {
		var all sync.WaitGroup
		for i := range decoders {
			all.Go(func() {
				decoders[i].budget = shared
				if _, err := decoders[i].CentreCrop(file, 64, nil); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
	const one = 20_000_000 * 8 // bytes of the image, as it is decoded and as it is converted
	if peak > one*3/2 {
		t.Errorf("6 images of 20 megapixels took %d MB at one time, one takes %d", peak>>20, one>>20)
	}
	runtime.GC()
	for i := range decoders {
		if n := cap(decoders[i].pixels.RGBX); n > 0 {
			t.Errorf("loader %d keeps %d MB", i, n>>20)
		}
	}
}

// An image of as many pixels as one may have takes at most 20 bytes a pixel.
func TestMemoryOfTheLargestImages(t *testing.T) {
	longtest.Only(t, "decodes four images of 50 megapixels")
	for name, file := range huge(t, 7071) {
		var d Decoder
		peak := heap.Peak(func() {
			if _, err := d.CentreCrop(file, 224, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		t.Logf("%s of %d bytes: %d MB, %.1f bytes a pixel", name, len(file), peak>>20, float64(peak)/DefaultMaxPixels)
		if peak > 20*DefaultMaxPixels {
			t.Errorf("%s: %d MB", name, peak>>20)
		}
	}
}
