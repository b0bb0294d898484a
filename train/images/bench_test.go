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
	b.Logf("decoder: %s", DecoderName())
}
