package ruleparse

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// cocoCaptions returns the captions of COCO's validation part.
func cocoCaptions(b *testing.B) []string {
	raw, err := os.ReadFile("../../shared/data/coco/captions_val2017.json")
	if err != nil {
		b.Skip("skipped: COCO's captions are not there: ", err)
	}
	var file struct{ Annotations []struct{ Caption string } }
	if err := json.Unmarshal(raw, &file); err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, a := range file.Annotations {
		out = append(out, a.Caption)
	}
	return out
}

// BenchmarkCOCO times the steps of a parse for captions of COCO. Hashing a caption's bytes a
// hundred times calibrates the machine.
func BenchmarkCOCO(b *testing.B) {
	p := newParser(b)
	r := p.model.Reader
	captions := cocoCaptions(b)
	each := func(name string, f func(string)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				f(captions[i%len(captions)])
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
		})
	}
	var sum uint32
	each("calibrate", func(c string) {
		for range 100 {
			sum += linear.Hash(c)
		}
	})
	var w tokens.Text
	each("tokenize", func(c string) {
		w.Low, w.Bytes = tokens.ToLower(c, w.Bytes)
		w.Tokens = tokens.Tokenize(c, w.Low, w.Tokens[:0])
	})
	each("tag", func(c string) { r.Read(&w, c) })
	var out schemas.Parsed
	each("parse", func(c string) { p.ParseText(c, &out) })
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLong measures the cost of a byte for growing texts.
func BenchmarkLong(b *testing.B) {
	p, err := New()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{100, 1000, 10_000} {
		text := strings.Repeat("the man is tall and a dog is next to the red car and the woman is riding a horse , a long haired cat , ", n)
		b.Run(fmt.Sprint(len(text), " bytes"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var out schemas.Parsed
			for b.Loop() {
				p.ParseText(text, &out)
			}
		})
	}
}

// modelCaptions returns DiscoSG's captions joined to texts of at least size bytes.
func modelCaptions(b *testing.B, size int) []string {
	raw, err := os.ReadFile("../../shared/data/discosg/human_anno_train_300.json")
	if err != nil {
		b.Skip("skipped: DiscoSG's captions are not there: ", err)
	}
	var rows []struct{ Caption string }
	if err := json.Unmarshal(raw, &rows); err != nil {
		b.Fatal(err)
	}
	var texts []string
	joined := ""
	for _, r := range rows {
		joined += r.Caption + " "
		if len(joined) >= size {
			texts = append(texts, joined)
			joined = ""
		}
	}
	return texts
}

// BenchmarkModelCaptions measures the speed on captions that models wrote, for growing texts: bytes a second of
// one core stay the same.
func BenchmarkModelCaptions(b *testing.B) {
	for _, reader := range []string{Fast, Auto} {
		p, err := NewReader(reader)
		if err != nil {
			b.Fatal(err)
		}
		for _, kB := range []int{1, 4, 16, 64} {
			texts := modelCaptions(b, kB<<10)
			b.Run(fmt.Sprintf("%s/%dkB", reader, kB), func(b *testing.B) {
				var out schemas.Parsed
				bytes, i := 0, 0
				for b.Loop() {
					p.ParseText(texts[i%len(texts)], &out)
					bytes += len(texts[i%len(texts)])
					i++
				}
				b.ReportMetric(float64(bytes)/1e6/b.Elapsed().Seconds(), "MB/s")
			})
		}
	}
}
