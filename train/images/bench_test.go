package images

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// cocoImages are the encoded images of a corpus beside the repository.
func cocoImages(t testing.TB) (names []string, encoded [][]byte) {
	t.Helper()
	names, err := filepath.Glob("../../../shared/data/coco/mini/images/*.jpg")
	if err != nil || len(names) == 0 {
		t.Skip("there is no ../shared/data/coco/mini")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		encoded = append(encoded, data)
	}
	return names, encoded
}

// BenchmarkDecodeCrop tells images a second on one core.
func BenchmarkDecodeCrop(b *testing.B) {
	names, encoded := cocoImages(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var d Decoder
	c := NewCropDraw(7, 1)
	var pixels []byte
	i := 0
	for b.Loop() {
		var err error
		if pixels, err = d.RandomCrop(encoded[i%len(encoded)], 224, c, names[i%len(names)], pixels); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "img/s")
	b.Logf("decoder: %s", DecoderName())
}
