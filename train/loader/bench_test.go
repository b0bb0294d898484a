package loader

import (
	"fmt"
	"testing"

	"capgraph/schemas"
)

// cheap is a decoder that does nothing.
type cheap struct{}

func (cheap) Decode(_ []byte, _ string, read func() ([]byte, error), _, _ uint64, _ string) error {
	_, err := read()
	return err
}

// BenchmarkTexts loads batches of 256 images without decoding. Rows have 16 positives and 32
// negatives, the most that texts/ has.
func BenchmarkTexts(b *testing.B) {
	const images = 20000
	var rows []*schemas.TextsRow
	for i := range images {
		r := textsRow(fmt.Sprintf("%06d", i), 0, fmt.Sprintf("a man in a red jacket rides a black horse along beach %d at sunset", i))
		for len(r.Positives) < 16 {
			p := r.Positives[1]
			p.Text, p.ID = fmt.Sprint(p.Text, len(r.Positives)), p.ID+int64(len(r.Positives))
			r.Positives = append(r.Positives, p)
		}
		for len(r.Negatives) < 32 {
			g := r.Negatives[len(r.Negatives)-8]
			g.Text, g.Of = fmt.Sprint(g.Text, len(r.Negatives)), int16(len(r.Negatives)%16)
			r.Negatives = append(r.Negatives, g)
		}
		rows = append(rows, r)
	}
	dir := b.TempDir()
	writeRows(b, dir+"/texts.parquet", rows)
	o := testOptions(dir)
	o.Batch, o.Window, o.Prefetch, o.Decoder = 256, 65536, 4, func() Decoder { return cheap{} }
	l := openLoader(b, o)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		batch, err := l.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		n += len(batch.Samples)
		l.Release(batch)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "samples/s")
}
