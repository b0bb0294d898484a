package images

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Crops of images that are kept are those of images that are decoded each time, and
// a kept one is not read again.
func TestCropsOfKeptImagesAreTheSame(t *testing.T) {
	files := golden(t)
	for _, most := range []int64{0, 5000, 1 << 30} {
		k := NewPictureCache(most)
		plain, keeping := NewRandomCrops(24, [2]float64{0.2, 1}, nil), NewRandomCrops(24, [2]float64{0.2, 1}, k)
		reads := 0
		for epoch := range uint64(3) {
			for _, f := range files {
				read := func() ([]byte, error) { reads++; return f.File, nil }
				want, got := make([]byte, 3*24*24), make([]byte, 3*24*24)
				errWant := plain.Decode(want, f.Name, read, 5, epoch, f.Name)
				reads--
				if err := keeping.Decode(got, f.Name, read, 5, epoch, f.Name); err != nil || errWant != nil || !bytes.Equal(got, want) {
					t.Errorf("%d bytes, %s, epoch %d: not the same crop (%v, %v)", most, f.Name, epoch, err, errWant)
				}
			}
		}
		if most == 0 && (reads != 3*len(files) || len(k.images) > 0) || most == 1<<30 && reads != len(files) || k.bytes > most {
			t.Errorf("%d bytes: %d images are read %d times, %d bytes kept", most, len(files), reads, k.bytes)
		}
	}
}

func TestBrokenImagesAreNotKept(t *testing.T) {
	k := NewPictureCache(1 << 20)
	r, wrong := NewRandomCrops(8, [2]float64{1, 1}, k), errors.New("the disk is gone")
	if err := r.Decode(make([]byte, 3*64), "a", func() ([]byte, error) { return nil, wrong }, 1, 1, "a"); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	if err := r.Decode(make([]byte, 3*64), "b", func() ([]byte, error) { return []byte("\xff\xd8\xff garbage"), nil }, 1, 1, "b"); err == nil {
		t.Error("garbage is an image")
	}
	if len(k.images) > 0 || k.bytes > 0 {
		t.Errorf("%d images are kept", len(k.images))
	}
}

func TestWorkersShareTheCache(t *testing.T) {
	files := golden(t)
	k := NewPictureCache(1 << 30)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			r := NewRandomCrops(8, [2]float64{1, 1}, k)
			for i := range 3 * len(files) {
				f := files[i%len(files)]
				if err := r.Decode(make([]byte, 3*64), f.Name, func() ([]byte, error) { return f.File, nil }, 1, 1, f.Name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var bytes int64
	for _, i := range k.images {
		bytes += int64(len(i.rgb))
	}
	if len(k.images) != len(files) || bytes != k.bytes {
		t.Error(fmt.Sprint(len(k.images), bytes, k.bytes))
	}
}
