package images

import (
	"image"
	"sync"
	"sync/atomic"

	"capgraph/images/resize"
)

// PictureCache keeps decoded images, 3 bytes per pixel, as long as they fit into its bound. No
// image is evicted for another, since an epoch asks for each one equally often. It is safe for
// concurrent use; nil keeps nothing.
type PictureCache struct {
	most int64
	full atomic.Bool // set once an image did not fit

	mu     sync.RWMutex
	bytes  int64
	images map[string]picture
}

type picture struct {
	size image.Point
	rgb  []byte
}

// NewPictureCache returns a cache of at most that many bytes.
func NewPictureCache(most int64) *PictureCache {
	return &PictureCache{most: most, images: map[string]picture{}}
}

// lookup returns a cached image; ok is false if it is not cached.
func (k *PictureCache) lookup(name string) (i picture, ok bool) {
	if k == nil {
		return i, false
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	i, ok = k.images[name]
	return i, ok
}

// hasRoom reports whether another image may fit: none has been refused yet.
func (k *PictureCache) hasRoom() bool { return k != nil && !k.full.Load() }

// KeepsAll reports whether all images so far have fitted.
func (k *PictureCache) KeepsAll() bool { return k.hasRoom() }

// put caches a copy of an image if it fits.
func (k *PictureCache) put(name string, p resize.Pixels) {
	n := 3 * p.Width * p.Height
	k.mu.Lock()
	fits := k.bytes+int64(n) <= k.most
	if fits {
		k.bytes += int64(n)
	}
	k.mu.Unlock()
	if !fits {
		k.full.Store(true)
		return
	}
	i := picture{image.Pt(p.Width, p.Height), make([]byte, n)}
	for from, to := p.RGBX, i.rgb; len(from) >= 4 && len(to) >= 3; from, to = from[4:], to[3:] {
		to[0], to[1], to[2] = from[0], from[1], from[2]
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, is := k.images[name]; is { // another worker was first
		k.bytes -= int64(n)
		return
	}
	k.images[name] = i
}

// copyPart sets p to the pixels of the image in box.
func (i picture) copyPart(p *resize.Pixels, box image.Rectangle) {
	p.Width, p.Height = box.Dx(), box.Dy()
	p.RGBX = reuseBytes(p.RGBX, 4*p.Width*p.Height)
	for y := range p.Height {
		from, to := i.rgb[3*((box.Min.Y+y)*i.size.X+box.Min.X):], p.RGBX[4*y*p.Width:][:4*p.Width]
		for len(to) >= 4 && len(from) >= 3 {
			to[0], to[1], to[2], to[3] = from[0], from[1], from[2], 0
			to, from = to[4:], from[3:]
		}
	}
}
