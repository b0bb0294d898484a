//go:build unix

package images

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDecodeCrop tells images a second on one core.
func BenchmarkDecodeCrop(b *testing.B) {
	names, encoded := cocoImages(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var d Decoder
	c := NewCropDraw(7, 1)
	var pixels []byte
	i, begin := 0, processorTime(b)
	for b.Loop() {
		var err error
		if pixels, err = d.RandomCrop(encoded[i%len(encoded)], 224, c, names[i%len(names)], pixels); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "img/s")
	b.ReportMetric(float64(b.N)/(processorTime(b)-begin).Seconds(), "img/cpu-s") // the machine may have others to serve
}

// BenchmarkKeptCrop tells images a second on one core, of images that were decoded before.
func BenchmarkKeptCrop(b *testing.B) {
	names, encoded := cocoImages(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := NewRandomCrops(224, NewCropDraw(0, 0).Scale, NewPictureCache(1<<30))
	pixels := make([]byte, 3*224*224)
	crop := func(i int) {
		read := func() ([]byte, error) { return encoded[i], nil }
		if err := r.Decode(pixels, names[i], read, 7, 1, names[i]); err != nil {
			b.Fatal(err)
		}
	}
	for i := range names {
		crop(i)
	}
	b.ResetTimer()
	i, begin := 0, processorTime(b)
	for b.Loop() {
		crop(i % len(names))
		i++
	}
	b.ReportMetric(float64(b.N)/(processorTime(b)-begin).Seconds(), "img/cpu-s")
	b.ReportMetric(float64(r.Kept.bytes)/float64(len(names)), "bytes/img")
}
