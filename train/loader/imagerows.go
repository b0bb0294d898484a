package loader

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
)

// image is an image with one of its rows, which a pass has drawn.
type image struct {
	shard                *shard
	key, imageKey, image string // columns of its row
	pool                 schemas.Pool
	bytes                int // the size of its texts
	sibling              Text
	trueIDs              []int64
	trueParts            []int32
	graph                scenegraph.WordGraph // if graphs are read
}

// rowParts says what is read besides the texts of rows: their graphs, and the parts that the texts
// state.
type rowParts struct{ graphs, parts bool }

// imageRows are the rows of one image in a shard.
type imageRows struct {
	shard  *shard
	rows   []schemas.TextsRow
	graphs []scenegraph.WordGraph // of each row, if graphs are read
	bytes  int                    // the size of the texts of all rows
	parts  bool                   // whether the parts of texts are read
}

// readShard yields the images of a shard in order, each valid until the next one. It stops at the
// first error, which names file and row.
func readShard(s store.Store, of *shard, with rowParts) iter.Seq2[*imageRows, error] {
	return func(yield func(*imageRows, error) bool) {
		if err := yieldImages(s, of, with, yield); err != nil {
			yield(nil, fmt.Errorf("%s: %w", of.path, err))
		}
	}
}

func yieldImages(s store.Store, of *shard, with rowParts, yield func(*imageRows, error) bool) error {
	f, err := s.Open(of.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var g *graphReader
	if with.graphs {
		if g, err = openGraphs(s, of.graphs); err != nil {
			return err
		}
		defer g.close()
	}
	r, row := imageRows{shard: of, parts: with.parts}, 0
	for next, err := range schemas.ReadTexts(f, f.Size()) {
		if err != nil {
			return err
		}
		if len(r.rows) > 0 && next.ImageKey != r.rows[0].ImageKey {
			if !yield(&r, nil) {
				return nil
			}
			r.rows, r.graphs, r.bytes = r.rows[:0], nil, 0
		}
		err := r.addRow(next)
		if err == nil && g != nil {
			var said scenegraph.WordGraph
			said, err = g.graphOf(next.Key, next.Text)
			r.graphs = append(r.graphs, said)
		}
		if err != nil {
			return fmt.Errorf("row %d (key %q): %w", row, next.Key, err)
		}
		row++
	}
	if len(r.rows) > 0 {
		yield(&r, nil)
	}
	return nil
}

// addRow checks a row and appends a copy of it, since the row is valid only until the next one.
func (r *imageRows) addRow(row *schemas.TextsRow) error {
	switch {
	case len(row.Positives) == 0:
		return errors.New("pos is empty: its first text should be the caption; make the texts again")
	case row.Positives[0].Text != row.Text:
		return errors.New("pos[0] is not the text: make the texts again")
	case len(r.rows) == maxCaptions:
		return fmt.Errorf("image %q has more than %d captions: image_key should name an image", row.ImageKey, maxCaptions)
	}
	if r.bytes += textBytes(row); r.bytes > maxTexts {
		return fmt.Errorf("the captions of image %q have more than %d bytes with their texts: image_key should name an image", row.ImageKey, maxTexts)
	}
	r.rows = schemas.Resize(r.rows, len(r.rows)+1)
	copyRow(&r.rows[len(r.rows)-1], row, r.parts)
	return nil
}

// drawImage draws the caption of an epoch and returns an image with the caption's texts, and with
// the ids of all texts that are true of the image. It is a copy that remains valid.
func (r *imageRows) drawImage(seed, epoch uint64) *image {
	d := drawing.Draw{Seed: seed, Epoch: epoch}
	var of schemas.TextsRow
	drawn := d.Caption(r.rows[0].ImageKey, len(r.rows))
	own := &r.rows[drawn]
	copyRow(&of, own, r.parts)
	img := &image{shard: r.shard, key: of.Key, imageKey: of.ImageKey, image: of.Image, pool: of.Pool, bytes: textBytes(own)}
	if r.graphs != nil {
		img.graph = r.graphs[drawn]
	}
	img.sibling = r.drawSibling(d, own)
	for i := range r.rows {
		for _, p := range r.rows[i].Positives {
			img.trueIDs = append(img.trueIDs, p.ID)
		}
		img.trueParts = append(img.trueParts, r.rows[i].Positives[0].Parts...)
	}
	slices.Sort(img.trueIDs)
	img.trueIDs = slices.Clip(slices.Compact(img.trueIDs))
	slices.Sort(img.trueParts)
	img.trueParts = slices.Clip(slices.Compact(img.trueParts))
	return img
}

// drawSibling draws another caption of the image, with another meaning than own.
func (r *imageRows) drawSibling(d drawing.Draw, own *schemas.TextsRow) Text {
	var others []int
	for i := range r.rows {
		if r.rows[i].Positives[0].ID != own.Positives[0].ID {
			others = append(others, i)
		}
	}
	if len(others) == 0 {
		return Text{}
	}
	numbers := d.Random("sibling", own.ImageKey)
	p := r.rows[others[numbers.IntN(len(others))]].Positives[0]
	return Text{Text: strings.Clone(p.Text), ID: p.ID}
}

// textBytes returns the size in bytes of the texts that copyRow copies from a row.
func textBytes(row *schemas.TextsRow) int {
	n := len(row.Key) + len(row.ImageKey) + len(row.Image)
	for i := range row.Positives {
		n += len(row.Positives[i].Text)
	}
	for i := range row.Negatives {
		n += len(row.Negatives[i].Text)
	}
	return n
}

// copyRow copies what draws need of a row and, if parts is true, the parts of its texts. All texts
// are copied into one allocation, and all parts into another, because few large objects are cheaper
// than many small ones.
func copyRow(dst, row *schemas.TextsRow, parts bool) {
	var memory strings.Builder
	memory.Grow(textBytes(row))
	keep := func(s string) string {
		begin := memory.Len()
		memory.WriteString(s)
		return memory.String()[begin:]
	}
	keepParts := func([]int32) []int32 { return nil }
	if parts {
		var all []int32
		keepParts = func(of []int32) []int32 {
			begin := len(all)
			all = append(all, of...)
			return all[begin:len(all):len(all)]
		}
	}
	dst.Key, dst.ImageKey, dst.Image = keep(row.Key), keep(row.ImageKey), keep(row.Image)
	dst.Positives = schemas.Resize(dst.Positives, len(row.Positives))
	for i, p := range row.Positives {
		dst.Positives[i] = schemas.Positive{Text: keep(p.Text), Kind: internConstant(p.Kind), ID: p.ID, Confidence: p.Confidence, Count: p.Count, Parts: keepParts(p.Parts)}
	}
	dst.Text = dst.Positives[0].Text
	dst.Negatives = schemas.Resize(dst.Negatives, len(row.Negatives))
	for i, g := range row.Negatives {
		dst.Negatives[i] = schemas.HardNegative{Text: keep(g.Text), Of: g.Of, Changed: internConstant(g.Changed), Category: internConstant(g.Category), Parts: keepParts(g.Parts)}
	}
}

// internConstant returns the constant that equals s, so that s can be freed, or "" if there is
// none, since draws treat all other values alike.
func internConstant(s string) string {
	for _, c := range [...]string{
		schemas.CategoryNone, schemas.CategoryObject, schemas.CategoryRelation, schemas.CategoryAttribute, schemas.ChangedObject,
		schemas.ChangedAttribute, schemas.ChangedRelation, schemas.ChangedAction, schemas.ChangedOrder, schemas.ChangedJoin,
		schemas.ChangedNegation, schemas.KindParaphrase,
	} {
		if s == c {
			return c
		}
	}
	return ""
}
