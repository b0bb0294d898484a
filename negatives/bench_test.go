package negatives_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"capgraph/negatives"
	"capgraph/negatives/vocabulary"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// readImages parses the first captions of Karpathy's file, whole images.
func readImages(b *testing.B, captions int) []negatives.Image {
	b.Helper()
	data, err := os.ReadFile("../../shared/data/coco/karpathy_val_minus_val2017.json")
	if os.IsNotExist(err) || err == fs.ErrNotExist {
		b.Skip("no COCO captions: ", err)
	}
	if err != nil {
		b.Fatal(err)
	}
	var rows []struct {
		Image   string
		Caption []string
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		b.Fatal(err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		b.Fatal(err)
	}
	var out []negatives.Image
	for _, r := range rows {
		if captions <= 0 {
			break
		}
		image := negatives.Image{Key: r.Image}
		for _, text := range r.Caption {
			var p schemas.Parsed
			parser.ParseText(text, &p)
			image.Captions = append(image.Captions, negatives.Caption{Key: r.Image, Text: text, Tokens: p.Tokens, Graph: p.Graph})
			captions--
		}
		out = append(out, image)
	}
	return out
}

// generatorFor returns a generator with the vocabulary of images.
func generatorFor(b *testing.B, images []negatives.Image, opts negatives.Options) *negatives.Generator {
	counts := map[schemas.Count]int64{}
	counter := vocabulary.NewCounter()
	for i := range images {
		for j := range images[i].Captions {
			counter.Count(&images[i].Captions[j], func(kind, key string, n int64) { counts[schemas.Count{Kind: kind, Key: key}] += n })
		}
	}
	var sorted []schemas.Count
	for c, n := range counts {
		c.N = n
		sorted = append(sorted, c)
	}
	slices.SortFunc(sorted, func(a, b schemas.Count) int { return strings.Compare(a.Kind, b.Kind) })
	vocabulary, err := negatives.NewVocabulary(slices.Values(sorted), opts)
	if err != nil {
		b.Fatal(err)
	}
	g, err := negatives.New(opts, vocabulary, 7)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// readModelCaptions parses DiscoSG's captions, joined to texts of at least size bytes.
func readModelCaptions(b *testing.B, size int) (images []negatives.Image) {
	raw, err := os.ReadFile("../../shared/data/discosg/human_anno_train_300.json")
	if err != nil {
		b.Skip("no captions of DiscoSG: ", err)
	}
	var rows []struct{ Caption string }
	if err := json.Unmarshal(raw, &rows); err != nil {
		b.Fatal(err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		b.Fatal(err)
	}
	text := ""
	for _, r := range rows {
		if text += r.Caption + " "; len(text) >= size {
			var p schemas.Parsed
			parser.ParseText(text, &p)
			images = append(images, negatives.Image{Key: r.Caption, Captions: []negatives.Caption{{Key: r.Caption, Text: text, Tokens: p.Tokens, Graph: p.Graph}}})
			text = ""
		}
	}
	return images
}

// BenchmarkModelCaptions measures the cost of a kilobyte of captions that models wrote, for growing
// texts: all candidates, as balance makes them.
func BenchmarkModelCaptions(b *testing.B) {
	g := generatorFor(b, readModelCaptions(b, 1), negatives.Defaults())
	for _, kB := range []int{1, 4, 16, 32} {
		images := readModelCaptions(b, kB<<10)
		b.Run(fmt.Sprint(kB, "kB"), func(b *testing.B) {
			pools, bytes, candidates, i := make([]schemas.Pool, 1), 0, 0, 0
			var drops negatives.Drops
			for b.Loop() {
				image := &images[i%len(images)]
				if err := g.Texts(context.Background(), image, pools, &drops); err != nil {
					b.Fatal(err)
				}
				bytes, candidates, i = bytes+len(image.Captions[0].Text), candidates+len(pools[0].Negatives), i+1
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(bytes)*1024, "µs/kB")
			b.ReportMetric(float64(candidates)/float64(bytes)*1024, "candidates/kB")
		})
	}
}

// BenchmarkTexts is decompose and negate on one core, given graphs; beside it,
// in the same unit, a plain copy of the captions word by word.
func BenchmarkTexts(b *testing.B) {
	images := readImages(b, 10000)
	captions := 0
	for i := range images {
		captions += len(images[i].Captions)
	}
	opts := negatives.Defaults()
	g := generatorFor(b, images, opts)
	var pools []schemas.Pool
	var drops negatives.Drops
	capper := negatives.Capper{Max: opts.MaxNegatives}
	b.Run("decompose+negate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range images {
				for len(pools) < len(images[i].Captions) {
					pools = append(pools, schemas.Pool{})
				}
				p := pools[:len(images[i].Captions)]
				if err := g.Texts(context.Background(), &images[i], p, &drops); err != nil {
					b.Fatal(err)
				}
				capper.Cap(&images[i], p, &drops)
			}
		}
		b.ReportMetric(float64(captions*b.N)/b.Elapsed().Seconds(), "captions/s")
	})
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			for i := range images {
				for _, c := range images[i].Captions {
					words := bufio.NewScanner(bytes.NewReader([]byte(c.Text)))
					words.Split(bufio.ScanWords)
					for words.Scan() {
						out.Write(words.Bytes())
					}
				}
			}
		}
		b.ReportMetric(float64(captions*b.N)/b.Elapsed().Seconds(), "captions/s")
	})
}
