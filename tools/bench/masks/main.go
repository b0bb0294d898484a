// Command masks counts the texts of a batch that are also true of other images of the batch, as each value of
// objective.mosaiclip.mask finds them. It prints some of the texts that only mask: entailed finds.
//
//	go run ./tools/bench/masks -batch 256 -print 40 out/coco
package main

import (
	"flag"
	"fmt"
	"log"
	"slices"

	"capgraph/internal/portable"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
	"capgraph/train/loader"
)

// sample is an image with the texts that an epoch draws for it, and the parts of graphs that its
// captions state.
type sample struct {
	captions             []string
	positives, negatives []text
	ids                  map[int64]bool
	parts                map[int32]bool
}

type text struct {
	said  string
	id    int64
	parts []int32
}

func main() {
	log.SetFlags(0)
	batch := flag.Int("batch", 256, "images of a batch")
	show := flag.Int("print", 0, "pairs of a text and an image to print, of which equal texts say nothing")
	flag.Parse()
	images, err := readImages(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	r := portable.SplitMix64(7)
	shuffle(&r, images)
	var texts, equal, entailed [2]int // of positives and of negatives
	batches := 0
	var found []string
	for ; len(images) >= *batch; images = images[*batch:] {
		batches++
		for i, of := range images[:*batch] {
			for kind, all := range [2][]text{of.positives, of.negatives} {
				texts[kind] += len(all)
				for _, t := range all {
					for j, other := range images[:*batch] {
						switch {
						case i == j:
						case other.ids[t.id]:
							equal[kind]++
						case other.statesAll(t.parts):
							entailed[kind]++
							found = append(found, fmt.Sprintf("%q, of %q", t.said, other.captions))
						}
					}
				}
			}
		}
	}
	fmt.Printf("%d batches of %d images; means of a batch:\n", batches, *batch)
	for kind, name := range [2]string{"positives", "hard negatives"} {
		n := float64(batches)
		fmt.Printf("%-15s%8.0f texts; true of other images: %.0f are equal to one of their own, %.0f more are stated in parts\n",
			name, float64(texts[kind])/n, float64(equal[kind])/n, float64(entailed[kind])/n)
	}
	shuffle(&r, found)
	for _, f := range found[:min(*show, len(found))] {
		fmt.Println(f)
	}
}

func shuffle[T any](r *portable.SplitMix64, all []T) {
	for i := len(all) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		all[i], all[j] = all[j], all[i]
	}
}

// statesAll reports whether the captions of an image state all parts of a text.
func (s *sample) statesAll(parts []int32) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p int32) bool { return !s.parts[p] })
}

// readImages returns the images of a folder of texts, with the texts that epoch 0 of seed 7 draws.
func readImages(folder string) ([]*sample, error) {
	var images []*sample
	var rows []schemas.TextsRow
	key := ""
	end := func() {
		if len(rows) > 0 {
			images = append(images, drawSample(key, rows))
			rows = nil
		}
	}
	for row, err := range loader.Rows(store.Local{}, folder) {
		if err != nil {
			return nil, err
		}
		if row.ImageKey != key {
			end()
			key = row.ImageKey
		}
		rows = append(rows, schemas.TextsRow{Key: row.Key, Text: row.Text, Pool: schemas.Pool{
			Positives: slices.Clone(row.Positives), Negatives: slices.Clone(row.Negatives),
		}})
	}
	end()
	return images, nil
}

func drawSample(key string, rows []schemas.TextsRow) *sample {
	s := &sample{ids: map[int64]bool{}, parts: map[int32]bool{}}
	for _, row := range rows {
		s.captions = append(s.captions, row.Text)
		for _, p := range row.Positives {
			s.ids[p.ID] = true
		}
		for _, part := range row.Positives[0].Parts {
			s.parts[part] = true
		}
	}
	d := drawing.NewDraw(7, 0, 2)
	row := &rows[d.Caption(key, len(rows))]
	positives, negatives := d.Texts(row.Key, &row.Pool)
	for _, k := range positives {
		p := row.Positives[k]
		if k == 0 {
			p.Parts = nil // a caption may state more than its graph
		}
		s.positives = append(s.positives, text{p.Text, p.ID, p.Parts})
	}
	for _, k := range negatives {
		n := row.Negatives[k]
		s.negatives = append(s.negatives, text{n.Text, scenegraph.TextID(n.Text), n.Parts})
	}
	return s
}
