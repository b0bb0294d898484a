package clean

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// BenchmarkClean cleans COCO's validation captions. For comparison it also copies the same captions
// byte by byte into a buffer. captions/s is for one core.
func BenchmarkClean(b *testing.B) {
	captions := cocoCaptions(b)
	c := cleaner(b, nil)
	b.Run("clean", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.Clean(captions[i%len(captions)])
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
	})
	b.Run("copy", func(b *testing.B) {
		var buffer []byte
		for i := 0; b.Loop(); i++ {
			buffer = append(buffer[:0], captions[i%len(captions)]...)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
	})
	torn := make([]string, len(captions))
	for i, s := range captions {
		torn[i] = strings.NewReplacer(".", " .", ",", " ,").Replace(s)
	}
	b.Run("tokenised", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.Clean(torn[i%len(torn)])
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
	})
}

func cocoCaptions(b *testing.B) []string {
	b.Helper()
	const path = "../../shared/data/coco/captions_val2017.json"
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		b.Skipf("%s is absent", path)
	}
	if err != nil {
		b.Fatal(err)
	}
	var file struct {
		Annotations []struct{ Caption string }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		b.Fatal(err)
	}
	captions := make([]string, len(file.Annotations))
	for i, a := range file.Annotations {
		captions[i] = a.Caption
	}
	return captions
}
