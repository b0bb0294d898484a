package loader

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// image is an image with the row that a pass draws of it.
type image struct {
	shard                *shard
	key, imageKey, image string // columns of its row
	pool                 schemas.Pool
	bytes                int // of its texts
	sibling              Text
	known                []int64
	said                 scenegraph.WordGraph // where graphs are read
}

// rows are those of one image, as a shard has them.
type rows struct {
	shard *shard
	rows  []schemas.TextsRow
	said  []scenegraph.WordGraph // of each row, where graphs are read
	bytes int                    // of the texts of all rows
}

// readShard gives the images of a shard in order, each valid until the next one.
// It ends at the first error, which names file and row. withGraphs reads their graphs too.
func readShard(s store.Store, of *shard, withGraphs bool) iter.Seq2[*rows, error] {
	return func(yield func(*rows, error) bool) {
		if err := yieldImages(s, of, withGraphs, yield); err != nil {
			yield(nil, fmt.Errorf("%s: %w", of.path, err))
		}
	}
}

func yieldImages(s store.Store, of *shard, withGraphs bool, yield func(*rows, error) bool) error {
	f, err := s.Open(of.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var g *graphs
	if withGraphs {
		if g, err = openGraphs(s, of.graphs); err != nil {
			return err
		}
		defer g.close()
	}
	r, row := rows{shard: of}, 0
	for next, err := range schemas.ReadTexts(f, f.Size()) {
		if err != nil {
			return err
		}
		if len(r.rows) > 0 && next.ImageKey != r.rows[0].ImageKey {
			if !yield(&r, nil) {
				return nil
			}
			r.rows, r.said, r.bytes = r.rows[:0], nil, 0
		}
		err := r.add(next)
		if err == nil && g != nil {
			var said scenegraph.WordGraph
			said, err = g.of(next.Key, next.Text)
			r.said = append(r.said, said)
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

// add copies a row, which is valid until the next one.
func (r *rows) add(row *schemas.TextsRow) error {
	switch {
	case len(row.Positives) == 0:
		return errors.New("pos is empty: its first text should be the caption; make the texts again")
	case row.Positives[0].Text != row.Text:
		return errors.New("pos[0] is not the text: make the texts again")
	case len(r.rows) == maxCaptions:
		return fmt.Errorf("image %q has more than %d captions: image_key should name an image", row.ImageKey, maxCaptions)
	}
	if r.bytes += sizeOf(row); r.bytes > maxTexts {
		return fmt.Errorf("the captions of image %q have more than %d bytes with their texts: image_key should name an image", row.ImageKey, maxTexts)
	}
	r.rows = schemas.Resize(r.rows, len(r.rows)+1)
	copyRow(&r.rows[len(r.rows)-1], row)
	return nil
}

// take copies what an epoch takes of the image, so that it outlives the rows: the
// caption drawn, its pool, and what else is true of the image.
func (r *rows) take(seed, epoch uint64) *image {
	d := scenegraph.Draw{Seed: seed, Epoch: epoch}
	var of schemas.TextsRow
	drawn := d.Caption(r.rows[0].ImageKey, len(r.rows))
	own := &r.rows[drawn]
	copyRow(&of, own)
	img := &image{shard: r.shard, key: of.Key, imageKey: of.ImageKey, image: of.Image, pool: of.Pool, bytes: sizeOf(own)}
	if r.said != nil {
		img.said = r.said[drawn]
	}
	img.sibling = r.drawSibling(d, own)
	for i := range r.rows {
		for _, p := range r.rows[i].Positives {
			img.known = append(img.known, p.ID)
		}
	}
	slices.Sort(img.known)
	img.known = slices.Clip(slices.Compact(img.known))
	return img
}

// drawSibling draws one of the captions that do not say what own does.
func (r *rows) drawSibling(d scenegraph.Draw, own *schemas.TextsRow) Text {
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
	return Text{strings.Clone(p.Text), p.ID}
}

// sizeOf is how many bytes the texts of a row have that copyRow copies.
func sizeOf(row *schemas.TextsRow) int {
	n := len(row.Key) + len(row.ImageKey) + len(row.Image)
	for i := range row.Positives {
		n += len(row.Positives[i].Text)
	}
	for i := range row.Negatives {
		n += len(row.Negatives[i].Text)
	}
	return n
}

// copyRow copies what draws need of a row; its texts lie in one piece of memory,
// beside which lists of few texts would be small.
func copyRow(dst, row *schemas.TextsRow) {
	var memory strings.Builder
	memory.Grow(sizeOf(row))
	keep := func(s string) string {
		begin := memory.Len()
		memory.WriteString(s)
		return memory.String()[begin:]
	}
	dst.Key, dst.ImageKey, dst.Image = keep(row.Key), keep(row.ImageKey), keep(row.Image)
	dst.Positives = schemas.Resize(dst.Positives, len(row.Positives))
	for i, p := range row.Positives {
		dst.Positives[i] = schemas.Positive{Text: keep(p.Text), ID: p.ID}
	}
	dst.Text = dst.Positives[0].Text
	dst.Negatives = schemas.Resize(dst.Negatives, len(row.Negatives))
	for i, g := range row.Negatives {
		dst.Negatives[i] = schemas.HardNegative{Text: keep(g.Text), Of: g.Of, Changed: constant(g.Changed), Category: constant(g.Category)}
	}
}

// constant is the constant that s is equal to, which needs no memory of its own;
// "" where it is none, since draws tell no others apart.
func constant(s string) string {
	for _, c := range [...]string{
		schemas.CategoryNone, schemas.CategoryObject, schemas.CategoryRelation, schemas.CategoryAttribute, schemas.ChangedObject,
		schemas.ChangedAttribute, schemas.ChangedRelation, schemas.ChangedAction, schemas.ChangedOrder, schemas.ChangedJoin,
		schemas.ChangedNegation,
	} {
		if s == c {
			return c
		}
	}
	return ""
}
